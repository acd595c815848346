#include "validator/formats/rntuple/notes.h"

#include <algorithm>

#include "validator/formats/rntuple/rules.h"

namespace hepcheck::rntuple {

void Notes::block_files(std::initializer_list<std::string_view> files, const std::string& reason,
                        const std::vector<std::string_view>& by) {
  if (silent()) return;
  for (const RuleHead& rule : rule_heads())
    if (std::ranges::contains(files, rule.file)) probe(rule.place).blocked(reason, by);
}

void Notes::adopt(const Notes& container, const std::string& judged_with) {
  for (const RuleHead& rule : rule_heads()) {
    if (rule.file != "root_file.cpp") continue;
    const Probe& from = container.probe_at(rule.place);
    Probe& to = probe(rule.place);
    to.looked(from.examined());
    if (!from.reason().empty()) to.blocked(from.reason(), from.by());
    if (from.total_findings() == 0) continue;
    if (!judged_with.empty()) {
      to.blocked("it does not hold in this file, as " + judged_with + " tells");
      continue;
    }
    for (const Finding& each : from.findings()) to.fail(each);
    for (std::uint64_t i = from.findings().size(); i < from.total_findings(); ++i) to.fail({});
  }
}

}  // namespace hepcheck::rntuple
