#include "validator/formats/rntuple/type_name.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace hepcheck::rntuple {

namespace {

constexpr std::pair<std::string_view, std::string_view> kSpellings[] = {
    {"Bool_t", "bool"},
    {"Char_t", "char"},
    {"UChar_t", "std::uint8_t"},
    {"Short_t", "std::int16_t"},
    {"UShort_t", "std::uint16_t"},
    {"Int_t", "std::int32_t"},
    {"UInt_t", "std::uint32_t"},
    {"Long64_t", "std::int64_t"},
    {"ULong64_t", "std::uint64_t"},
    {"Float_t", "float"},
    {"Double_t", "double"},
    {"Double32_t", "double"},
    {"std::bool", "bool"},
    {"std::char", "char"},
    {"int8_t", "std::int8_t"},
    {"uint8_t", "std::uint8_t"},
    {"uint_8_t", "std::uint8_t"},
    {"std::uint_8_t", "std::uint8_t"},
    {"int16_t", "std::int16_t"},
    {"uint16_t", "std::uint16_t"},
    {"int32_t", "std::int32_t"},
    {"uint32_t", "std::uint32_t"},
    {"int64_t", "std::int64_t"},
    {"uint64_t", "std::uint64_t"},
    {"signed char", "std::int8_t"},
    {"unsigned char", "std::uint8_t"},
    {"short", "std::int16_t"},
    {"short int", "std::int16_t"},
    {"unsigned short", "std::uint16_t"},
    {"unsigned short int", "std::uint16_t"},
    {"int", "std::int32_t"},
    {"signed int", "std::int32_t"},
    {"unsigned", "std::uint32_t"},
    {"unsigned int", "std::uint32_t"},
    {"long", "std::int64_t"},
    {"long int", "std::int64_t"},
    {"long long", "std::int64_t"},
    {"unsigned long", "std::uint64_t"},
    {"unsigned long int", "std::uint64_t"},
    {"unsigned long long", "std::uint64_t"},
    {"string", "std::string"},
    {"byte", "std::byte"},
};

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// Without qualifiers and the spaces around brackets and commas.
std::string plain(std::string_view name) {
  name = trimmed(name);
  for (bool more = true; more;) {
    more = false;
    for (const std::string_view word : {"const ", "volatile "})
      if (name.starts_with(word)) {
        name = trimmed(name.substr(word.size()));
        more = true;
      }
    for (const std::string_view word : {" const", " volatile"})
      if (name.ends_with(word)) {
        name = trimmed(name.substr(0, name.size() - word.size()));
        more = true;
      }
  }
  std::string made;
  for (const char c : name) {
    const bool bracket = c == '<' || c == '>' || c == ',';
    if (bracket)
      while (made.ends_with(' ')) made.pop_back();
    if (c == ' ' && (made.empty() || made.back() == ' ' || made.back() == '<' ||
                     made.back() == '>' || made.back() == ','))
      continue;
    made += c;
  }
  const auto known =
      std::ranges::find(kSpellings, made, &std::pair<std::string_view, std::string_view>::first);
  return known == std::end(kSpellings) ? made : std::string(known->second);
}

std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t value = 0;
  text = trimmed(text);
  while (!text.empty() &&
         (text.back() == 'u' || text.back() == 'l' || text.back() == 'U' || text.back() == 'L'))
    text.remove_suffix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

TypeName parse_type(std::string_view name) {
  TypeName made;
  made.text = plain(name);
  made.outer = made.text;
  const std::string_view text = made.text;
  if (text.ends_with(']')) {
    // The first bracket that belongs to no template argument.
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      depth += (text[i] == '<') - (text[i] == '>');
      if (text[i] != '[' || depth != 0) continue;
      const std::size_t close = text.find(']', i);
      made.size = number_in(text.substr(i + 1, close - i - 1));
      made.arguments.push_back(
          plain(std::string(text.substr(0, i)) + std::string(text.substr(close + 1))));
      made.outer = "[]";
      return made;
    }
    return made;
  }
  const std::size_t open = text.find('<');
  if (open == text.npos || !text.ends_with('>')) return made;
  made.outer = std::string(trimmed(text.substr(0, open)));
  if (made.outer == "array" || made.outer == "vector") made.outer = "std::" + made.outer;
  int depth = 0;
  std::size_t begin = open + 1;
  for (std::size_t i = begin; i < text.size(); ++i) {
    const bool last = i + 1 == text.size();
    if (depth == 0 && (text[i] == ',' || last)) {
      const std::string_view argument = trimmed(text.substr(begin, i - begin));
      if (!argument.empty() || !last) made.arguments.push_back(plain(argument));
      begin = i + 1;
    }
    depth += (text[i] == '<') - (text[i] == '>');
  }
  if (made.outer == "std::array" && made.arguments.size() == 2)
    made.size = number_in(made.arguments[1]);
  if (made.outer == "std::bitset" && made.arguments.size() == 1)
    made.size = number_in(made.arguments[0]);
  return made;
}

}  // namespace hepcheck::rntuple
