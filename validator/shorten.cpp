#include "validator/shorten.h"

#include <cstdint>
#include <format>
#include <string_view>

#include "validator/fnv1a.h"
#include "validator/report.h"

namespace hepcheck {

namespace {

// Not inside a UTF-8 character.
std::size_t cut_at(std::string_view text, std::size_t most) {
  constexpr std::size_t kLongestCharacter = 4;
  for (std::size_t at = most; at + kLongestCharacter > most; --at)
    if ((static_cast<unsigned char>(text[at]) & 0xC0) != 0x80) return at;
  return most;  // not UTF-8 anyway
}

void cut(std::string& text, const std::string& ending) {
  text.resize(cut_at(text, kLongestText - ending.size()));
  text += ending;
  text.shrink_to_fit();
}

}  // namespace

void shorten(std::string& text) {
  if (text.size() > kLongestText) cut(text, std::format("... ({} bytes)", text.size()));
}

void shorten_name(std::string& name) {
  if (name.size() > kLongestText)
    cut(name, std::format("... ({} bytes, {:016x})", name.size(), fnv1a(name)));
}

// The structured bindings name every member, so a new member does not compile until it is handled.
void shorten(Finding& finding) {
  auto& [object, attribute, where, observed, expected, hint, witness, more, severity, known] =
      finding;
  for (std::string* name : {&object, &attribute, &where}) shorten_name(*name);
  for (std::string* text : {&observed, &expected, &hint, &witness}) shorten(*text);
}

void shorten(Error& error) {
  auto& [context, cause] = error;
  shorten_name(context);
  shorten(cause);
}

static void shorten(Strip& strip) {
  auto& [kind, path, state, compared, reason, unit, differences, marks] = strip;
  shorten(kind);
  shorten_name(path);
  shorten(state);
  shorten(reason);
  shorten(unit);
}

static void shorten(Layer& layer) {
  shorten(layer.kind);
  shorten_name(layer.path);
  shorten(layer.reason);
}

static void shorten(Part& part) {
  auto& [name, type, figures, labels, missing, strips, layers, answer, reasons] = part;
  shorten_name(name);
  shorten(type);
  for (std::string& label : labels) shorten_name(label);
  shorten(answer);
  for (std::string& each : reasons) shorten(each);
  for (Strip& strip : strips) shorten(strip);
  for (Layer& layer : layers) shorten(layer);
}

static void shorten(FileMap& map) {
  auto& [size, base, end, kinds, objects, ranges, fields, findings, trouble, ranges_left_out,
         fields_left_out] = map;
  for (std::string& each : kinds) shorten(each);
  for (std::string& each : objects) shorten_name(each);
  for (auto& [address, field_size, range, name, value] : fields) {
    shorten_name(name);
    shorten(value);
  }
  for (auto& [address, severity, decoded, clause, object, observed, expected] : findings) {
    for (std::string* name : {&clause, &object}) shorten_name(*name);
    for (std::string* text : {&observed, &expected}) shorten(*text);
  }
  for (std::string& each : trouble) shorten(each);
}

void shorten(SubjectReport& report) {
  auto& [kind, path, spec, choice, verdict, reason, scope, notes, figures, shown, layout, map,
         clauses] = report;
  shorten(kind);
  shorten_name(path);
  shorten(choice.sign);
  shorten_name(choice.path);
  shorten(reason);
  for (std::string& note : notes) shorten(note);
  for (Part& part : shown) shorten(part);
  if (layout)
    for (std::string& each : layout->kinds) shorten(each);
  if (map) shorten(*map);
}

void shorten(FileReport& report) {
  auto& [path, stamp, error, stop, unreadable, subjects, lacked_memory] = report;
  if (error) shorten(*error);
  for (Error& each : unreadable) shorten(each);
}

}  // namespace hepcheck
