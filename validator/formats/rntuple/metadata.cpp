#include "validator/formats/rntuple/metadata.h"

#include <format>

#include "validator/formats/rntuple/rule.h"

namespace hepcheck::rntuple {

namespace {

struct MetadataPayload {
  std::uint64_t left;
};
constexpr Rule kPairs("rntuple-metadata-list", [](const MetadataPayload& it, Look& look) {
  look.ask(
      it.left >= kLeastRecord, [&] { return std::format("a payload of {} bytes", it.left); },
      "a list of key-value pairs");
});

struct Value {
  std::int32_t type;
  std::uint64_t needed, left;
};
constexpr Rule kValue("rntuple-metadata-value", [](const Value& it, Look& look) {
  look.ask(
      it.needed <= it.left,
      [&] { return std::format("{} bytes of a value of type {}", it.left, it.type); },
      [&] { return std::format("{} bytes", it.needed); });
});

constexpr Rule kBool("rntuple-metadata-bool", [](const std::uint8_t& it, Look& look) {
  look.ask(it <= 1, [&] { return std::format("{}", it); }, "0 or 1");
});

struct PairKey {
  std::string_view key, writer;
};
constexpr Rule kPrefix("rntuple-metadata-reserved-prefix", [](const PairKey& it, Look& look) {
  if (!it.key.starts_with("ROOT.")) return;
  look.ask(
      it.writer.starts_with("ROOT "),
      [&] { return std::format("the key \"{}\" by the writer \"{}\"", it.key, it.writer); },
      "the prefix ROOT. in files that ROOT wrote");
});

bool read_scalar(Cursor& cursor, std::int32_t type, Pair& into) {
  if (type == 4) {
    std::string_view text;
    if (!cursor.string(text)) return false;
    into.values.push_back(std::as_bytes(std::span(text)));
    return true;
  }
  const std::uint64_t bytes = type == 2 ? 1 : 8;
  if (!judge<kValue>(Value{type, bytes, cursor.left()}, cursor.place(), cursor.notes()))
    return false;
  if (type == 2)
    judge<kBool>(std::to_integer<std::uint8_t>(cursor.bytes()[cursor.at()]), cursor.place(),
                 cursor.notes());
  into.values.push_back(cursor.bytes().subspan(cursor.at(), bytes));
  cursor.go(cursor.at() + bytes);
  return true;
}

bool read_value(Cursor& cursor, Pair& into) {
  const std::int32_t type = into.type;
  if (!into.known()) return true;
  if (!into.is_list()) return read_scalar(cursor, type, into);
  if (!judge<kValue>(Value{type, kLeastList, cursor.left()}, cursor.place(), cursor.notes()))
    return false;
  Frame list;
  if (!cursor.frame(true, 0, list)) return false;
  const Inside inside(cursor, list, cursor.path());
  for (std::uint32_t i = 0; i < list.items; ++i)
    if (!read_scalar(cursor, -type, into)) return false;
  into.tail = cursor.rest();
  return true;
}

bool read_pairs(Cursor& cursor, const Frame& list, std::string_view writer, Metadata& into) {
  const Path& outer = cursor.path();
  const Inside inside(cursor, list, outer);
  for (std::uint32_t i = 0; i < list.items; ++i) {
    if (!cursor.item(kLeastRecord, list, i)) return false;
    const Path path{.up = &outer, .kind = "pair", .index = i};
    Frame record;
    if (!cursor.frame(false, 0, record)) return false;
    const Inside one(cursor, record, path);
    if (!cursor.fixed(4, "a key-value pair")) return false;
    Pair& pair = into.pairs.emplace_back();
    pair.type = cursor.number<std::int32_t>();
    if (!cursor.string(pair.key)) return false;
    judge<kPrefix>(PairKey{pair.key, writer}, cursor.place(record.begin), cursor.notes());
    if (!read_value(cursor, pair)) return false;
    pair.surplus = cursor.rest();
  }
  into.tail = cursor.rest();
  return true;
}

}  // namespace

bool read_metadata(Cursor& cursor, std::string_view writer, Metadata& into) {
  if (!judge<kPairs>(MetadataPayload{cursor.left()}, cursor.place(), cursor.notes())) return false;
  Frame list;
  if (!cursor.frame(true, kLeastRecord, list)) return false;
  if (!read_pairs(cursor, list, writer, into)) return false;
  into.surplus = cursor.rest();
  into.complete = true;
  return true;
}

void metadata_rules(RuleList& list) { list.structure<kPairs, kValue, kBool, kPrefix>(); }

}  // namespace hepcheck::rntuple
