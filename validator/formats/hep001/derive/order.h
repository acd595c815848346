// The HEP001 order of values (10.5) and the canonical missing-value test (8.5), one value at
// a time. Loops over columns use codec.h.
#pragma once

#include <compare>
#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "validator/formats/hep001/model/datatype.h"
#include "validator/formats/hep001/model/table.h"

namespace hepcheck::hep001 {

// One element as stored in the file; for a variable-length string, its text.
using StoredValue = std::span<const std::byte>;

// The datatype has a HEP001 order (10.5): integers of any width, IEEE binary16/32/64, strings,
// opaque, enumerations by code. References, compounds, arrays, sequences and others do not.
bool has_order(const Datatype& type);
// It has one, or that of its numbers: other floats, times and bitfields are compared as well.
bool can_compare(const Datatype& type);
// A float beyond the closed list of 10.5: an index that requires an order gives a warning, and its
// contents are compared by the only possible order.
bool is_other_float(const Datatype& type);

// In this order; unordered if either is NaN or the datatype has none.
std::partial_ordering compare_values(const Datatype& type, StoredValue a, StoredValue b);
// The values are equal, for any datatype; false if either is NaN, or has a part that is.
bool equal_values(const Datatype& type, StoredValue a, StoredValue b);

bool is_nan(const Datatype& type, StoredValue value);

// missing(value, fill) = isnan(fill) ? isnan(value) : value == fill, on logical values: zeros
// of either sign are equal, strings are compared without padding.
bool is_missing(const Datatype& type, StoredValue value, StoredValue fill);

// A float as a number, perhaps rounded: it distinguishes both zeros, infinities and NaN.
double float_value(const Datatype& type, StoredValue value);

// The same questions about many values of one column; the datatype is analysed once.
class ColumnOrder {
 public:
  explicit ColumnOrder(const Dataset& column);  // which must outlive it

  std::partial_ordering compare(StoredValue a, StoredValue b) const { return compare_(a, b); }
  bool is_nan(StoredValue value) const { return is_nan_(value); }
  // Never, without a user-defined fill value.
  bool is_missing(StoredValue value) const { return is_missing_(value); }

 private:
  std::function<std::partial_ordering(StoredValue, StoredValue)> compare_{};
  std::function<bool(StoredValue)> is_nan_{}, is_missing_{};
};

// For display: 42, 1.5, "text", 0x0a0b, RED (1).
std::string format_value(const Datatype& type, StoredValue value);
std::string format_string(std::string_view text);

}  // namespace hepcheck::hep001
