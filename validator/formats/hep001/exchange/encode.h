// Neutral values as stored elements of a datatype.
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

// What pointers of variable-length parts lead to.
using Arena = std::deque<std::vector<std::byte>>;

// Value i of an array into `to`, which has room for one element. False if the datatype has no such
// value, or a null inside has no place.
bool encode(const Datatype& to, const exchange::Type& type, const exchange::Array& array,
            std::uint64_t i, std::byte* into, Arena& arena);

// All values that are not null, one behind the other; zeros under nulls. Nothing if one cannot be
// stored; `wrong` says which.
std::optional<std::vector<std::byte>> encode_all(const Datatype& to, const exchange::Type& type,
                                                 const exchange::Array& array, Arena& arena,
                                                 std::uint64_t& wrong);

// The datatype that values of a type get by themselves. Strings are as long as the longest, and of
// variable length beyond 1 KiB. Nothing for lists of any length that no datatype has.
std::optional<Datatype> own_datatype(const exchange::Type& type, const exchange::Array& array);

// A fill value for elements that are there, `hidden` ones aside: it differs from all of them.
struct Fill {
  std::vector<std::byte> value{};
  // 8.5: the range that has to be declared, since the recommended fill value is a real one.
  std::optional<ValidRange> range{};
};
struct Stored {
  const Datatype& type;
  std::span<const std::byte> elements;
  const exchange::Array& array;  // says which are null
};
// `wanted`: the one to take if it can be taken; `stated`: the range that the values are said to
// have; `least_code`: of codes, those below are taken.
std::optional<Fill> choose_fill(const Stored& stored,
                                const std::optional<std::vector<std::byte>>& wanted,
                                const ValidRange& stated, std::uint64_t least_code, Arena& arena);

// 8.5: it lies strictly outside a range of two ends.
bool is_outside(const Datatype& type, const std::vector<std::byte>& fill, const ValidRange& range);

}  // namespace hepcheck::hep001
