// Converts attributes of tables and columns to pairs of texts.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "validator/exchange/table.h"
#include "validator/formats/hep001/model/table.h"

namespace hepcheck::hep001 {

// The properties of a column's dataset: type, fill value, range, units, description and other
// scalar attributes. `as`: the type of its values. Properties without an equivalent are added to
// `losses`.
void describe_dataset(const Dataset& data, exchange::Kind as, exchange::Metadata& into,
                      std::vector<std::string>& losses);
// For any other object: strings and numbers. Names in `but` are handled elsewhere.
void describe_attributes(const std::string& path, const Attributes& attributes,
                         const std::vector<std::string_view>& but, exchange::Metadata& into,
                         std::vector<std::string>& losses);
// Without the skipped columns.
exchange::Metadata describe_table(const Table& table, const std::set<std::string>& skipped,
                                  std::vector<std::string>& losses);

// A list of texts as JSON, and back; nothing if it is not such a list.
std::string json_list(const std::vector<std::string>& texts);
std::optional<std::vector<std::string>> parse_json_list(std::string_view text);

}  // namespace hepcheck::hep001
