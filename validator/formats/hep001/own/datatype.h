// Datatype messages as datatypes of the model, and how elements of the file become elements in
// memory.
//
// The model describes elements as libhdf5 returns them: variable-length parts are pointers, and
// references have another size. Everything else has the same form in the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "validator/formats/hdf5/datatype.h"
#include "validator/formats/hep001/model/datatype.h"
#include "validator/limits.h"

namespace hepcheck::hep001::own {

struct ElementForm {
  enum class Kind : std::uint8_t { kCopy, kString, kSequence, kArray, kCompound, kReference };
  struct Member {
    std::size_t stored_offset = 0, offset = 0;
    std::shared_ptr<const ElementForm> form{};
  };

  Kind kind = Kind::kCopy;
  std::size_t stored_size = 0;  // in the file
  std::size_t size = 0;         // in memory
  std::uint64_t count = 1;      // kArray: elements of `base`
  std::shared_ptr<const ElementForm> base{};
  std::vector<Member> members{};

  bool copied() const { return kind == Kind::kCopy; }
};

struct ReadType {
  Datatype model{};
  std::shared_ptr<const ElementForm> form{};
};

// `trouble` is set if the datatype exceeds a limit; the result must not be used then.
ReadType read_datatype(const hdf5::Datatype& type, const Limits& limits,
                       std::optional<std::string>& trouble);

}  // namespace hepcheck::hep001::own
