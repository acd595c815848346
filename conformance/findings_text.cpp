#include "conformance/findings_text.h"

#include <format>
#include <initializer_list>
#include <map>

#include "validator/testing/file_text.h"

namespace hepcheck::conformance {

namespace {

// Thousands of reports are written in one test, and std::format takes longer than the judging.
std::string joined(std::initializer_list<std::string_view> parts) {
  std::size_t size = 0;
  for (const std::string_view each : parts) size += each.size();
  std::string text;
  text.reserve(size);
  for (const std::string_view each : parts) text += each;
  return text;
}

std::string figures(const std::vector<Figure>& all) {
  std::string text;
  for (const Figure& each : all)
    text += joined({" ", each.key, "=", each.value ? std::to_string(*each.value) : "?"});
  return text;
}

std::string spread(const Spread& it) {
  std::string text = " by " + std::to_string(it.width());
  for (const Spread::Cell& cell : it.cells())
    text += joined({" ", std::to_string(cell.at), ":", std::to_string(cell.count)});
  return text;
}

std::string part(const Part& it) {
  std::string text = joined({it.name, " ", it.type, figures(it.figures), " ", it.answer});
  for (const std::string& each : it.labels) text += "\n label " + each;
  for (const std::string& each : it.reasons) text += "\n reason " + each;
  text += "\n missing by " + std::to_string(it.missing.rows_per_cell);
  for (const std::uint64_t rows : it.missing.missing) text += ' ' + std::to_string(rows);
  for (const Strip& each : it.strips)
    text += joined({"\n ", each.kind, " ", each.path, " ", each.state, " ",
                    std::to_string(each.compared), " ", each.reason, " ", each.unit,
                    figures(each.marks), spread(each.differences)});
  for (const Layer& each : it.layers)
    text += joined({"\n ", each.kind, " ", each.path, figures(each.figures), " ", each.reason});
  return text + '\n';
}

std::string map_text(const FileMap& map) {
  std::string text = std::format("{} {} {} {} {}\n", map.size, map.base, map.end,
                                 map.ranges_left_out, map.fields_left_out);
  for (const FileRange& each : map.ranges)
    text += joined({std::to_string(each.address), " ", std::to_string(each.size), " ",
                    map.kinds[each.kind], " ", map.objects[each.object], "\n"});
  for (const FileField& each : map.fields)
    text += joined({std::to_string(each.range), " ", std::to_string(each.address), " ",
                    std::to_string(each.size), " ", each.name, " ", each.value, "\n"});
  for (const FileFinding& each : map.findings)
    text += joined({std::to_string(each.address), each.decoded ? " decoded " : " ",
                    to_string(each.severity), " ", each.clause, " ", each.object, " ",
                    each.observed, " ", each.expected, "\n"});
  for (const std::string& each : map.trouble) text += each + '\n';
  return text;
}

std::string rest_of(const SubjectReport& subject) {
  std::string text;
  for (const Part& each : subject.parts) text += part(each);
  if (subject.layout) {
    for (const std::string& each : subject.layout->kinds) text += each + ' ';
    for (const std::uint64_t bytes : subject.layout->bytes) text += std::to_string(bytes) + ' ';
  }
  if (subject.map) text += map_text(*subject.map);
  for (const std::string& each : subject.scope) text += each + '\n';
  return text +
         joined({to_string(subject.choice.by), " ", subject.choice.sign, " ", subject.choice.path});
}

void field(std::string& into, std::string_view name, std::string_view value) {
  if (!value.empty()) into += joined({" | ", name, " ", value});
}

std::string finding_line(const Clause& clause, const Finding& it) {
  std::string text = joined({" ", to_string(it.severity), " ", clause.id, ": ", it.object});
  if (!it.attribute.empty()) text += '@' + it.attribute;
  field(text, "at", it.where);
  field(text, "found", it.observed);
  field(text, "expected", it.expected);
  field(text, "fix", it.hint);
  field(text, "shown by", it.witness);
  if (it.more > 0) text += joined({" | ", std::to_string(it.more), " more"});
  return line(text);
}

std::string subject_text(const SubjectReport& subject) {
  std::map<std::string_view, std::size_t> results;
  std::map<std::string, std::size_t> unchecked;
  std::uint64_t looked = 0;
  std::string findings;
  for (const ClauseResult& result : subject.clauses) {
    ++results[to_string(result.verdict)];
    looked += result.examined;
    if (result.verdict == Verdict::kNotChecked) ++unchecked[result.reason];
    for (const Finding& finding : result.findings)
      findings += finding_line(*result.clause, finding);
    if (result.suppressed > 0)
      findings += line(std::format(" {} more of {}", result.suppressed, result.clause->id));
  }
  std::string text = joined({subject.kind, " ", subject.path, ": ", to_string(subject.verdict)});
  field(text, "reason", subject.reason);
  text += " |";
  for (const auto& [verdict, count] : results)
    text += joined({" ", std::to_string(count), " ", verdict});
  text += joined({" | ", std::to_string(looked), " looked at |", figures(subject.figures), " | ",
                  golden::digest_of(rest_of(subject))});
  text = line(text);
  for (const auto& [reason, count] : unchecked)
    text += line(std::format(" {} not checked: {}", count, reason));
  for (const std::string& note : subject.notes) text += line(" note: " + note);
  return text + findings;
}

}  // namespace

std::string line(std::string_view text) {
  std::string made;
  made.reserve(text.size() + 1);
  for (const unsigned char byte : text)
    if (byte >= 0x20 && byte < 0x7f)
      made += static_cast<char>(byte);
    else
      made += std::format("\\x{:02x}", byte);
  return made + '\n';
}

std::string findings_text(const FileReport& report) {
  std::string text = '[' + report.path + "]\n";
  if (report.error) text += line("error: " + report.error->text());
  for (const Error& each : report.unreadable) text += line("unreadable: " + each.text());
  for (const SubjectReport& each : report.subjects) text += subject_text(each);
  return text;
}

}  // namespace hepcheck::conformance
