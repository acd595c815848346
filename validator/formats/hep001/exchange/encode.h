// Converts neutral values to stored elements of a datatype.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "validator/exchange/table.h"
#include "validator/formats/hep001/derive/facts.h"
#include "validator/formats/hep001/model/datatype.h"

namespace hepcheck::hep001 {

// The targets of the pointers of variable-length parts.
using Arena = std::deque<std::vector<std::byte>>;

// Stores value i of an array in `to`, which holds one element. False if the datatype has no such
// value, or a nested null cannot be stored.
bool encode(const Datatype& to, const exchange::Type& type, const exchange::Array& array,
            std::uint64_t i, std::byte* into, Arena& arena);

// All non-null values, concatenated; zeros for nulls. Nothing if one cannot be stored; `wrong`
// states which.
std::optional<std::vector<std::byte>> encode_all(const Datatype& to, const exchange::Type& type,
                                                 const exchange::Array& array, Arena& arena,
                                                 std::uint64_t& wrong);

// The default datatype for values of a type. Strings have the length of the longest, and variable
// length beyond 1 KiB. Nothing for lists of variable length.
std::optional<Datatype> own_datatype(const exchange::Type& type, const exchange::Array& array);

// A fill value for the elements that exist, except `hidden` ones: it differs from all of them.
struct Fill {
  std::vector<std::byte> value{};
  // 8.5: the range that has to be declared because the recommended fill value is a real value.
  std::optional<ValidRange> range{};
};
struct Stored {
  const Datatype& type;
  std::span<const std::byte> elements;
  const exchange::Array& array;  // states which are null
};
// `wanted`: the preferred value; `stated`: the range that the values are declared to have;
// `least_code`: for codes, smaller values are excluded.
std::optional<Fill> choose_fill(const Stored& stored,
                                const std::optional<std::vector<std::byte>>& wanted,
                                const ValidRange& stated, std::uint64_t least_code, Arena& arena);

// 8.5: it is strictly outside a range with two ends.
bool is_outside(const Datatype& type, const std::vector<std::byte>& fill, const ValidRange& range);

}  // namespace hepcheck::hep001
