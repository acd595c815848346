// The map of an HDF5 file (validator/file_map.h): for commands that show it, and for reports.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "validator/bytes.h"
#include "validator/file_map.h"
#include "validator/formats/hdf5/message.h"
#include "validator/limits.h"

namespace hepcheck::hdf5 {

class ContainerWalk;
class FieldRecording;

struct MapOptions {
  bool fields = false;                // what each structure consists of; reads the values, too
  std::optional<std::string> only{};  // only the ranges of this object
};

// For a worker.
void tell_map(const Bytes& file, const Limits& limits, const MapOptions& options, const Tell& tell);

// The most findings that a map with fields has.
inline constexpr std::size_t kMostPlaced = 10'000;

// The map of a file that was walked through, while its fields were recorded and the places of
// findings kept, in at most `lines` ranges and fields together. The ranges with findings come
// first, then their fields, then the others.
FileMap limited_map(ContainerWalk& walk, const FieldRecording& recording, std::uint64_t lines);

// For its parent.
class FileMapReader {
 public:
  void take(std::string_view message);
  FileMap map() &&;

 private:
  bool names(MessageReader& message, std::vector<std::string>& into);
  bool ranges(MessageReader& message);
  bool fields(MessageReader& message);
  bool findings(MessageReader& message);
  bool end(MessageReader& message);

  FileMap made_{};
  bool ended_ = false, nonsense_ = false;
};

}  // namespace hepcheck::hdf5
