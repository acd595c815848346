// The fields of structures, by the names that the readers give them where they read (region.h): for
// `hepcheck layout --fields` and `hepcheck show`. Nothing is recorded unless it is asked for.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "validator/formats/hdf5/region.h"

namespace hepcheck::hdf5 {

struct Field {
  std::uint64_t address = 0, size = 0;  // from the first byte of the file
  const char* name = nullptr;
  std::uint64_t value = 0;  // of a number
  bool number = false;      // otherwise bytes

  std::uint64_t end() const { return address + size; }
};

// While it exists, the fields that this thread reads are recorded, up to a limit.
class FieldRecording {
 public:
  static constexpr std::size_t kMost = 1'000'000;

  FieldRecording() { field_recording = this; }
  FieldRecording(const FieldRecording&) = delete;
  FieldRecording& operator=(const FieldRecording&) = delete;
  ~FieldRecording() { field_recording = nullptr; }

  void add(const Field& field);
  // Bytes of which fields may be read, too.
  void add_rest(const Field& field, Rest rest);
  // The bytes of a message: its name belongs to the names of the fields in it.
  void add_group(std::uint64_t address, std::uint64_t size, const char* name);
  bool full() const { return full_; }

  // All that was recorded, by address. Of fields that have bytes in common, the first one that was
  // read counts. What no field covers is what it was recorded as (Rest).
  std::vector<Field> sorted() const;
  // "data layout: version"
  std::string full_name(const Field& field) const;

 private:
  std::vector<Field> fields_{}, groups_{};
  std::array<std::vector<Field>, 3> rests_{};  // by Rest
  bool full_ = false;
};

// By the number of a header message: "data layout".
const char* message_name(std::uint16_t type);

}  // namespace hepcheck::hdf5
