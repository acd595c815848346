#include "validator/formats/hdf5/fill.h"

#include <algorithm>
#include <format>

#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

struct FillOf {
  const Fill& fill;
  std::optional<std::uint32_t> type_size;
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
  if (!it.fill.size || *it.fill.size <= 0 || !it.type_size) return;
  look.looked();
  if (*it.fill.size != *it.type_size)
    look.fail(0, std::format("a value of {} bytes", *it.fill.size),
              std::format("{} bytes, one element", *it.type_size));
}

constexpr Rule<FillOf> kFillRules[] = {
    {"swmr-fill-version", version},
    {"swmr-fill-flags", flags},
    {"swmr-fill-fits", fits},
    {"swmr-fill-size", size},
};

// --- The form of a sound message ----------------------------------------------------------------

// Old messages have neither.
void allocation_time(const Fill& it, Look& look) {
  if (it.old) return;
  look.looked();
  if (it.allocation < 1 || it.allocation > 3)
    look.fail(1, std::format("allocation time {}", it.allocation),
              "1 (early), 2 (late) or 3 (incremental)");
}

void write_time(const Fill& it, Look& look) {
  if (it.old) return;
  look.looked();
  if (it.when > 2)
    look.fail(it.version == 3 ? 1 : 2, std::format("write time {}", it.when),
              "0 (on allocation), 1 (never) or 2 (if set)");
}

void defined_flag(const Fill& it, Look& look) {
  if (it.old || it.version > 2) return;
  look.looked();
  if (it.defined > 1) look.fail(3, std::format("flag {}", it.defined), "0 or 1");
}

constexpr Rule<Fill> kFillFormRules[] = {
    {"h5-fill-allocation-time", allocation_time},
    {"h5-fill-write-time", write_time},
    {"h5-fill-defined-flag", defined_flag},
};

struct TwoFills {
  const Fill& old_fill;
  const Fill& fill;
};

constexpr Rule kAgreeRule("h5-fill-old-agrees", [](const TwoFills& it, Look& look) {
  // A value of another size has its own clause.
  const std::size_t size = it.old_fill.value.size();
  if (size > 0 && it.fill.has_value() && it.fill.value.size() != size) return;
  look.looked();
  if (it.fill.has_value() && it.old_fill.value != it.fill.value)
    look.fail(0, "an old fill value that differs from the new one", "the same value");
});

void take_value(Cursor& read, Fill& into) {
  const std::uint32_t size = read.u32("size");
  if (!read.good()) return;
  into.size = static_cast<std::int32_t>(size);
  if (*into.size <= 0) return;
  const Region value = read.take(static_cast<std::uint64_t>(*into.size), "value");
  into.value.assign(value.bytes.begin(), value.bytes.end());
  into.value_at = value.place;
}

Fill parse_fill(const Region& message, bool old) {
  Cursor read(message);
  Fill made{.old = old};
  if (old) {
    take_value(read, made);
    made.whole = read.good();
    made.encoded = read.at();
    return made;
  }
  made.version = read.u8("version");
  if (made.version == 3) {
    made.flags = read.u8("flags");
    made.allocation = made.flags & 3;
    made.when = made.flags >> 2 & 3;
    if ((made.flags & 0x20) != 0) {
      made.size = read.u32("size");
      const Region value = read.take(static_cast<std::uint64_t>(*made.size), "value");
      made.value.assign(value.bytes.begin(), value.bytes.end());
      made.value_at = value.place;
    }
  } else {
    made.allocation = read.u8("allocation");
    made.when = read.u8("when");
    made.defined = read.u8("defined");
    if (made.version == 1 || made.defined == 1) take_value(read, made);
  }
  made.whole = read.good();
  made.encoded = read.at();
  return made;
}

}  // namespace

void fill_rules(RuleList& list) { list.structure<kFillRules, kFillFormRules, kAgreeRule>(); }

std::optional<Fill> read_fill(const Region& message, bool old,
                              std::optional<std::uint32_t> type_size, Container& file) {
  const Fill made = parse_fill(message, old);
  if (!judge<kFillRules>(FillOf{made, type_size}, message.place, file.notes)) return std::nullopt;
  judge_each<kFillFormRules>(made, message.place, file.notes);
  return made;
}

void judge_fills(const Fill& old_fill, const Fill& fill, const Place& at, Notes& notes) {
  judge<kAgreeRule>(TwoFills{old_fill, fill}, at, notes);
}

}  // namespace hepcheck::hdf5
