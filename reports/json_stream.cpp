#include "reports/json_stream.h"

#include <nlohmann/json.hpp>
#include <ostream>

namespace hepcheck::reports {

namespace {

using Json = nlohmann::ordered_json;

std::string replaced(std::string_view text, char what, std::string_view by) {
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  for (const char c : text) {
    if (c == what)
      out += by;
    else
      out += c;
  }
  return out;
}

}  // namespace

std::string JsonStream::rendered(const Json& value) const {
  // JSON strings contain no line break, so each line break belongs to the layout.
  if (indented()) return replaced(value.dump(1), '\n', '\n' + std::string(open_.size(), ' '));
  if (form_ == Form::kCompact) return value.dump();
  return replaced(value.dump(), '<', "\\u003c");
}

void JsonStream::break_line() {
  if (indented()) out_ << '\n' << std::string(open_.size(), ' ');
}

void JsonStream::separate() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (open_.empty()) return;
  if (!open_.back().empty) out_ << ',';
  open_.back().empty = false;
  break_line();
}

void JsonStream::begin(char first, char last) {
  separate();
  out_ << first;
  open_.push_back({last});
}

void JsonStream::begin_object() { begin('{', '}'); }

void JsonStream::begin_array() { begin('[', ']'); }

void JsonStream::end() {
  const Open closed = open_.back();
  open_.pop_back();
  if (!closed.empty) break_line();
  out_ << closed.end;
}

void JsonStream::key(std::string_view name) {
  separate();
  out_ << rendered(name) << (indented() ? ": " : ":");
  after_key_ = true;
}

void JsonStream::element(std::string_view text) {
  separate();
  out_ << text;
}

void JsonStream::value(const Json& value) { element(rendered(value)); }

void JsonStream::member(std::string_view name, const Json& value) {
  key(name);
  this->value(value);
}

void JsonStream::members(const Json& object) {
  for (const auto& [name, value] : object.items()) member(name, value);
}

}  // namespace hepcheck::reports
