// Datatypes and values in the protocol's notation (conformance/protocol.md), to and from HDF5.
#pragma once

#include <deque>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "hdf5.h"

namespace adapter {

using Json = nlohmann::ordered_json;
using Bytes = std::vector<unsigned char>;

// The boolean datatype (6), and whether a datatype is one.
inline const Json kBoolean = {
    {"class", "enum"},
    {"base", {{"class", "integer"}, {"size", 1}, {"order", "little"}, {"signed", true}}},
    {"members", Json::array({Json::array({"FALSE", "0"}), Json::array({"TRUE", "1"})})}};
bool is_boolean(const Json& type);

Json describe_type(hid_t type);
Id make_type(const Json& notation);

// Text, unless it is not UTF-8; and the reverse.
Json text_notation(const std::string& bytes);
std::string bytes_of(const Json& value);

// An element in memory, in the layout of the file's own datatype.
Json decode(hid_t type, const unsigned char* element);
// The reverse. The targets of pointers in the bytes live as long as the Encoder.
class Encoder {
 public:
  void encode(hid_t type, const Json& value, unsigned char* into);
  Bytes all(hid_t type, const std::vector<Json>& values);

 private:
  std::deque<Bytes> alive_{};
};

// All elements of a dataset or an attribute, or `count` rows from `first` on.
std::vector<Json> read_rows(hid_t dataset, hsize_t first, hsize_t count);
std::vector<Json> read_attribute(hid_t owner, const std::string& name);
std::optional<std::string> text_attribute(hid_t owner, const std::string& name);
// The user-defined fill value of a dataset, if there is one.
std::optional<Json> fill_value(hid_t dataset);
void write_rows(hid_t dataset, hsize_t first, const std::vector<Json>& values);

bool is_nan(const Json& value);
bool is_missing(const Json& type, const Json& value, const Json& fill);  // the canonical test (8.5)
bool equal(const Json& type, const Json& a, const Json& b);
bool less(const Json& type, const Json& a, const Json& b);
bool has_order(const Json& type);

}  // namespace adapter
