// Logical types as text. A text is either refused, for a neutral type that it does not suit or with
// anything wrong in it, or is what the type that it means is called.
#include "validator/formats/arrow/exchange/types.h"

#include <gtest/gtest.h>

#include <format>
#include <string>
#include <vector>

namespace hepcheck::arrow {

namespace {

using exchange::Kind;
using NeutralType = exchange::Type;

// The places in neutral_types() of those that some texts suit.
constexpr int kInt32 = 4, kInt64 = 6, kTwoInt32 = 9, kTwoInt32AndInt64 = 11;

struct Meaning {
  std::string text{};
  int place = 0;
};

std::vector<Meaning> meanings() {
  std::vector<Meaning> made = {{"date[day]", kInt32},
                               {"date[ms]", kInt64},
                               {"time[s]", kInt32},
                               {"time[ms]", kInt32},
                               {"time[us]", kInt64},
                               {"time[ns]", kInt64},
                               {"interval[year-month]", kInt32},
                               {"interval[day-time]", kTwoInt32},
                               {"interval[month-day-nano]", kTwoInt32AndInt64}};
  for (const char* unit : {"s", "ms", "us", "ns"}) {
    made.push_back({std::format("duration[{}]", unit), kInt64});
    made.push_back({std::format("timestamp[{}]", unit), kInt64});
    made.push_back({std::format("timestamp[{}, Europe/Paris]", unit), kInt64});
  }
  for (const int width : {32, 64, 128, 256})
    for (const char* digits : {"1, 0", "38, 12", "9, -3"})
      made.push_back({std::format("decimal{}({})", width, digits), kInt64});
  return made;
}

NeutralType integer(std::uint64_t width, bool is_signed) {
  return {.kind = Kind::kInteger, .width = width, .is_signed = is_signed};
}

NeutralType struct_of(const std::vector<std::uint64_t>& widths) {
  NeutralType made{.kind = Kind::kStruct};
  for (const std::uint64_t width : widths)
    made.children.push_back(exchange::Field{.name = "x", .type = integer(width, true)});
  return made;
}

std::vector<NeutralType> neutral_types() {
  std::vector<NeutralType> made;
  for (const std::uint64_t width : {1, 2, 4, 8})
    for (const bool is_signed : {true, false}) made.push_back(integer(width, is_signed));
  made.push_back({.kind = Kind::kFloat, .width = 8});
  for (const std::vector<std::uint64_t>& widths :
       std::vector<std::vector<std::uint64_t>>{{4, 4}, {4, 8}, {4, 4, 8}, {8, 4, 4}, {4}, {}})
    made.push_back(struct_of(widths));
  return made;
}

// The neutral types that the text suits, of which each is called so.
std::vector<int> suited(const std::string& meaning) {
  std::vector<int> made;
  int place = 0;
  for (NeutralType type : neutral_types()) {
    type.meaning = meaning;
    if (const auto meant = type_meant(type)) {
      EXPECT_EQ(meaning_of(*meant), meaning);
      made.push_back(place);
    }
    ++place;
  }
  return made;
}

TEST(LogicalTypes, SuitOneNeutralType) {
  for (const Meaning& each : meanings())
    EXPECT_EQ(suited(each.text), std::vector{each.place}) << each.text;
}

TEST(LogicalTypes, WithAnotherCharacterOrOneLess) {
  for (const auto& [text, place] : meanings())
    for (std::size_t at = 0; at <= text.size(); ++at) {
      std::string more = text;
      more.insert(at, 1, 'x');
      suited(more);
      if (at == text.size()) continue;
      std::string other = text, less = text;
      other[at] = 'x';
      less.erase(at, 1);
      suited(other);
      suited(less);
    }
}

}  // namespace

}  // namespace hepcheck::arrow
