#include "validator/formats/hdf5/fill.h"

#include <format>

#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

struct FillOf {
  const Fill& fill;
  std::uint32_t type_size;
};

void version(const FillOf& it, Look& look) {
  if (it.fill.old) return;
  look.looked();
  if (it.fill.version < 1 || it.fill.version > 3)
    look.fail(0, std::format("version {}", it.fill.version), "version 1, 2 or 3");
}

void flags(const FillOf& it, Look& look) {
  if (it.fill.old || it.fill.version != 3) return;
  look.looked();
  if ((it.fill.flags & 0x30) == 0x30)
    look.fail(1, std::format("flags {:#04x}: with a value and without one", it.fill.flags),
              "one of the two");
  else if ((it.fill.flags & 0xc0) != 0)
    look.fail(1, std::format("flags {:#04x}", it.fill.flags), "bits 6 and 7 clear");
}

void fits(const FillOf& it, Look& look) {
  look.looked();
  if (!it.fill.whole)
    look.fail(0,
              it.fill.size
                  ? std::format("a value of {} bytes, which exceeds the message", *it.fill.size)
                  : std::string("a message that ends before its last field"),
              "a message that holds its value");
}

void size(const FillOf& it, Look& look) {
  if (!it.fill.size || *it.fill.size <= 0) return;
  look.looked();
  if (*it.fill.size != it.type_size)
    look.fail(0, std::format("a value of {} bytes", *it.fill.size),
              std::format("{} bytes, one element", it.type_size));
}

constexpr Rule<FillOf> kFillRules[] = {
    {"swmr-fill-version", version},
    {"swmr-fill-flags", flags},
    {"swmr-fill-fits", fits},
    {"swmr-fill-size", size},
};

void take_value(Cursor& read, Fill& into) {
  const std::uint32_t size = read.u32();
  if (!read.good()) return;
  into.size = static_cast<std::int32_t>(size);
  if (*into.size > 0) read.skip(static_cast<std::uint64_t>(*into.size));
}

Fill parse_fill(const Region& message, bool old) {
  Cursor read(message);
  Fill made{.old = old};
  if (old) {
    take_value(read, made);
    made.whole = read.good();
    return made;
  }
  made.version = read.u8();
  if (made.version == 3) {
    made.flags = read.u8();
    made.allocation = made.flags & 3;
    if ((made.flags & 0x20) != 0) {
      made.size = read.u32();
      read.skip(static_cast<std::uint64_t>(*made.size));
    }
  } else {
    made.allocation = read.u8();
    read.skip(1);
    if (const std::uint8_t defined = read.u8(); made.version == 1 || defined == 1)
      take_value(read, made);
  }
  made.whole = read.good();
  return made;
}

}  // namespace

void fill_rules(RuleList& list) { list.structure<kFillRules>(); }

std::optional<Fill> read_fill(const Region& message, bool old, std::uint32_t type_size,
                              Container& file) {
  const Fill made = parse_fill(message, old);
  if (!judge<kFillRules>(FillOf{made, type_size}, message.place, file.notes)) return std::nullopt;
  return made;
}

}  // namespace hepcheck::hdf5
