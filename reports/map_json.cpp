#include "reports/map_json.h"

#include <nlohmann/json.hpp>

#include "reports/escape.h"

namespace hepcheck::reports {

using Json = nlohmann::ordered_json;

void write_ranges(JsonStream& to, const FileMap& map, bool with_fields) {
  FieldsOfRanges fields(map);
  std::uint64_t number = 0;
  write_array(to, "ranges", map.ranges, [&](const FileRange& each) {
    Json range = {{"address", each.address},
                  {"size", each.size},
                  {"kind", escaped(map.kinds[each.kind])},
                  {"object", escaped(map.objects[each.object])}};
    if (with_fields) range["fields"] = Json::array();
    for (const FileField& field : fields.of(number++))
      range["fields"].push_back({{"address", field.address},
                                 {"size", field.size},
                                 {"name", escaped(field.name)},
                                 {"value", escaped(field.value)}});
    to.value(std::move(range));
  });
}

void write_gaps(JsonStream& to, const std::vector<FileMap::Gap>& gaps) {
  write_array(to, "gaps", gaps, [&](const FileMap::Gap& each) {
    to.value({{"address", each.address}, {"size", each.size}});
  });
}

void write_findings(JsonStream& to, const FileMap& map) {
  write_array(to, "findings", map.findings, [&](const FileFinding& each) {
    to.value({{"address", each.address},
              {"decoded", each.decoded},
              {"clause", escaped(each.clause)},
              {"severity", to_string(each.severity)},
              {"object", escaped(each.object)},
              {"observed", escaped(each.observed)},
              {"expected", escaped(each.expected)}});
  });
}

}  // namespace hepcheck::reports
