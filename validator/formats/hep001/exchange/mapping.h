// Converts stored elements of a datatype to neutral values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "validator/exchange/table.h"
#include "validator/formats/hep001/model/datatype.h"
#include "validator/result.h"
#include "validator/utf8.h"

namespace hepcheck::hep001 {

// Thrown during conversion: an element has no neutral value.
struct Unconvertible {
  std::uint64_t element = 0;  // counted from the first element passed
  std::string why{};
};

// How the elements of one datatype become neutral values.
struct Mapping {
  enum class How : std::uint8_t {
    kCopy,      // the bytes are the value
    kSwap,      // numbers whose bytes are reversed
    kBits,      // integers and bitfields with arbitrary positions of the significant bits
    kBoolean,   // an integer or code, 0 or 1
    kMember,    // a code of an enumeration: the position of its name
    kText,      // a fixed string, padding stripped
    kPointer,   // a variable-length string
    kArray,     // `parts[0]`, a fixed number of times
    kSequence,  // `parts[0]`, as often as the element states
    kFields,    // `parts`, at `offsets`
  };

  How how = How::kCopy;
  Datatype stored{};
  exchange::Type type{};
  std::vector<Mapping> parts{};
  std::vector<std::size_t> offsets{};
  std::unordered_map<std::int64_t, std::uint64_t> positions{};  // kMember: by the code
};

struct MappingOptions {
  bool binary = false;            // strings are bytes, whether UTF-8 or not
  bool enums_as_numbers = false;  // enumerations other than booleans by their codes
};

// The error names the datatype, or the part of it, that has no neutral form.
Result<Mapping> mapping_of(const Datatype& type, const MappingOptions& options = {});

// Any enumeration of FALSE = 0, TRUE = 1 and optionally MISSING.
bool is_truth(const Datatype& type);
// A mapping of integers 0 and 1.
Mapping truth_mapping(const Datatype& type);

// Rows that are null: their elements are copied, but do not have to be valid. `per`: elements per
// row.
struct HiddenRows {
  const std::uint8_t* rows = nullptr;  // 1: null; null: no row is null
  std::uint64_t per = 1;

  bool operator[](std::uint64_t i) const { return rows && rows[i / per] != 0; }
};

// Appends `count` elements with a distance of `stride` bytes. Pointers of variable-length parts are
// followed.
void convert(const Mapping& mapping, const std::byte* first, std::size_t stride,
             std::uint64_t count, const HiddenRows& hidden, exchange::Array& into);

// Appends a text; throws if it is not UTF-8, unless the mapping is for bytes.
void convert_text(const Mapping& mapping, std::string_view text, std::uint64_t element, bool hidden,
                  exchange::Array& into);

}  // namespace hepcheck::hep001
