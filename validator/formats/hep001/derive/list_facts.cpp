// The entries of a level are divided into runs, and each run is read by one thread as streams: its
// offsets, its mask and, for strings, the bytes between its offsets.
#include "validator/formats/hep001/derive/list_facts.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <format>
#include <map>
#include <mutex>
#include <new>

#include "validator/formats/hep001/derive/fold.h"
#include "validator/formats/hep001/model/integers.h"
#include "validator/integers.h"
#include "validator/parallel.h"
#include "validator/shortage.h"
#include "validator/utf8.h"
#include "validator/vectors.h"

namespace hepcheck::hep001 {

namespace {

// Thrown through parallel_for: the first run that cannot be read determines the result of the
// level.
struct UnreadableLevel {
  std::string why;
};

// --- Offsets -----------------------------------------------------------------------------------

// Any integer of up to 8 bytes can be read as an offset, though only uint64 is valid
// (list-offsets-uint64). A negative one is beyond every extent.
bool can_be_offsets(const Datatype& type) {
  return type.is(TypeClass::kInteger) && type.size <= 8 && type.precision == 8 * type.size &&
         has_significant_bits(type);
}

// The common case.
bool plain_offsets(const Datatype& type) {
  return type.size == 8 && type.order == ByteOrder::kLittle && !type.is_signed;
}

std::uint64_t plain_offset_at(std::span<const std::byte> bytes, std::uint64_t i) {
  return load<std::uint64_t>(bytes.data() + 8 * i);
}

std::uint64_t offset_at(const Datatype& type, std::span<const std::byte> bytes, std::uint64_t i) {
  const std::byte* at = bytes.data() + i * type.size;
  std::uint64_t value = 0;
  for (std::size_t k = 0; k < type.size; ++k) {
    const std::size_t byte = type.order == ByteOrder::kBig ? k : type.size - 1 - k;
    value = value << 8 | std::to_integer<std::uint64_t>(at[byte]);
  }
  if (type.is_signed && type.size < 8 && (value >> (8 * type.size - 1)) != 0)
    value |= ~std::uint64_t{0} << (8 * type.size);
  return value;
}

std::uint64_t read_offset(const Dataset& offsets, std::uint64_t at, ValueSource& values) {
  const std::uint64_t start[] = {at}, count[] = {1};
  const Result<std::vector<std::byte>> bytes = values.read(offsets, start, count);
  if (!bytes) throw UnreadableLevel{bytes.error().text()};
  return offset_at(offsets.type, *bytes, 0);
}

// --- Strings -----------------------------------------------------------------------------------

// Reads CHARS in step with the offsets. Entries follow each other, except after a decrease, from
// where the bytes are read again.
class Strings {
 public:
  Strings(const Dataset& chars, ValueSource& values, ListLevelFacts& into)
      : chars_(chars), values_(values), into_(into) {}

  // Skips an entry, bytes [begin, end), that cannot contain an error.
  bool step_over(std::uint64_t begin, std::uint64_t end) {
    const bool can = plain_ && begin == at_ && end - begin <= block_end_ - begin;
    if (can) at_ = end;
    return can;
  }

  // An entry whose bytes exist.
  void entry(std::uint64_t number, std::uint64_t begin, std::uint64_t end) {
    if (begin != at_) open(begin);
    utf8_.restart();
    bool mark = end - begin >= kMark.size();
    while (at_ < end) {
      if (at_ == block_end_) next_block();
      const std::uint64_t part = std::min(end, block_end_) - at_;
      // ASCII bytes are valid, unless a code point is incomplete.
      if (!plain_ || !utf8_.valid()) utf8_.feed(block_.subspan(at_ - block_begin_, part));
      mark =
          mark && (at_ - begin >= kMark.size() || (!plain_ && continues_mark(at_ - begin, part)));
      at_ += part;
    }
    if (!utf8_.valid())
      note(into_.not_utf8, number, [&] { return found("bytes that are not UTF-8", begin, end); });
    else if (mark)
      note(into_.byte_order_mark, number, [&] { return found("a byte order mark", begin, end); });
  }

 private:
  static constexpr std::array kMark = {std::byte{0xEF}, std::byte{0xBB}, std::byte{0xBF}};
  static constexpr int kMostJumps = 1000;

  static Difference found(const char* what, std::uint64_t begin, std::uint64_t end) {
    return {.stored = std::format("{} in CHARS[{}:{}]", what, begin, end)};
  }

  // The bytes beginning with at_, at position `read` of the entry, are those of a mark.
  bool continues_mark(std::uint64_t read, std::uint64_t part) const {
    for (std::uint64_t k = 0; k < part && read + k < kMark.size(); ++k)
      if (block_[at_ - block_begin_ + k] != kMark[read + k]) return false;
    return true;
  }

  void open(std::uint64_t begin) {
    if (++jumps_ > kMostJumps) throw UnreadableLevel{"OFFSETS decreases too often to be followed"};
    at_ = block_begin_ = block_end_ = begin;
    Result<std::unique_ptr<ValueStream>> stream =
        values_.stream_rows(chars_, begin, chars_.extent().value_or(0) - begin);
    if (!stream) throw UnreadableLevel{stream.error().text()};
    stream_ = std::move(*stream);
  }

  void next_block() {
    const Result<std::optional<Block>> next = stream_->next();
    if (!next || !*next) throw UnreadableLevel{next ? "CHARS ends early" : next.error().text()};
    block_ = (*next)->bytes;
    block_begin_ = block_end_;
    block_end_ += (*next)->rows;
    plain_ = is_ascii(block_);
  }

  const Dataset& chars_;
  ValueSource& values_;
  ListLevelFacts& into_;
  Utf8Stream utf8_{};
  std::unique_ptr<ValueStream> stream_{};
  std::span<const std::byte> block_{};
  std::uint64_t at_ = ~std::uint64_t{0}, block_begin_ = 0, block_end_ = 0;
  int jumps_ = 0;
  bool plain_ = false;  // the block contains only ASCII
};

// --- Runs --------------------------------------------------------------------------------------

// The members of a level whose contents are judged; null if they are not.
struct Members {
  const Dataset* offsets = nullptr;
  const Dataset* mask = nullptr;
  const Dataset* chars = nullptr;
};

// The number of a run's rows that a member has.
std::uint64_t rows_of(const Dataset* member, const Run& run) {
  const std::uint64_t extent = member ? member->extent().value_or(0) : 0;
  return extent > run.first ? std::min(run.rows, extent - run.first) : 0;
}

// --- Many entries at once ------------------------------------------------------------------------

constexpr std::size_t kTogether = 64;  // entries

struct MaskTotals {
  std::uint64_t nulls = 0;
  std::uint8_t most = 0;  // the largest value
};

HEPCHECK_VECTORS MaskTotals totals_of_mask(const std::byte* mask) {
  std::uint8_t nulls = 0, most = 0;
  for (std::size_t i = 0; i < kTogether; ++i) {
    const auto value = std::to_integer<std::uint8_t>(mask[i]);
    nulls = static_cast<std::uint8_t>(nulls + (value == 0));
    most = std::max(most, value);
  }
  return {nulls, most};
}

struct EntryTotals {
  std::uint64_t empty = 0, longest = 0;
  std::uint64_t wrong = 0;  // not 0: an offset decreases, or a null has elements
};

// Of the entries between kTogether + 1 plain offsets. Their mask is 0 for null.
HEPCHECK_VECTORS EntryTotals totals_of_entries(const std::byte* offsets, const std::byte* mask) {
  std::uint64_t empty = 0, longest = 0, wrong = 0;
  for (std::size_t i = 0; i < kTogether; ++i) {
    const auto begin = load<std::uint64_t>(offsets + 8 * i);
    const auto end = load<std::uint64_t>(offsets + 8 * (i + 1));
    const std::uint64_t length = end - begin;
    const bool null = mask[i] == std::byte{0}, none = length == 0;
    wrong |= static_cast<std::uint64_t>(end < begin) | static_cast<std::uint64_t>(null & !none);
    empty += static_cast<std::uint64_t>(none & !null);
    longest = std::max(longest, length);
  }
  return {empty, longest, wrong};
}

MaskTotals totals_of(std::span<const std::byte> mask) {
  MaskTotals all;
  std::size_t i = 0;
  for (; i + kTogether <= mask.size(); i += kTogether) {
    const MaskTotals some = totals_of_mask(mask.data() + i);
    all.nulls += some.nulls;
    all.most = std::max(all.most, some.most);
  }
  for (; i < mask.size(); ++i) {
    all.nulls += mask[i] == std::byte{0};
    all.most = std::max(all.most, std::to_integer<std::uint8_t>(mask[i]));
  }
  return all;
}

// --- Judging a run -------------------------------------------------------------------------------

std::vector<std::byte> judge_mask(const Members& members, const Run& run, ValueSource& values,
                                  ListLevelFacts& into) {
  const std::uint64_t start[] = {run.first}, count[] = {rows_of(members.mask, run)};
  if (count[0] == 0) return {};
  Result<std::vector<std::byte>> mask = values.read(*members.mask, start, count);
  if (!mask) throw UnreadableLevel{mask.error().text()};
  const MaskTotals totals = totals_of(*mask);
  into.null_entries = totals.nulls;
  if (totals.most <= 1) return std::move(*mask);
  for (std::uint64_t i = 0; i < count[0]; ++i)
    if ((*mask)[i] > std::byte{1})
      note(into.mask_value, run.first + i, [&] {
        return Difference{.stored = std::format("{}", std::to_integer<int>((*mask)[i]))};
      });
  return std::move(*mask);
}

// Judges the entries of a run as far as the members extend: entries of a mask that is longer than
// OFFSETS are judged separately.
void judge_run(const Members& members, const Run& run, ValueSource& values, ListLevelFacts& into) {
  const std::vector<std::byte> mask = judge_mask(members, run, values, into);
  const std::uint64_t bounds = rows_of(members.offsets, {run.first, run.rows + 1});
  if (bounds < 2) return;
  std::optional<Strings> strings;
  if (members.chars) strings.emplace(*members.chars, values, into);
  const std::uint64_t bytes = members.chars ? members.chars->extent().value_or(0) : 0;
  const Datatype& type = members.offsets->type;
  std::uint64_t begin = 0, empty = 0, longest = 0;
  const auto look = [&](std::uint64_t place, std::uint64_t end) {
    const std::uint64_t entry = run.first + place;
    const bool null = place < mask.size() && mask[place] == std::byte{0};
    if (end < begin) [[unlikely]]
      note(into.decrease, entry,
           [&] { return Difference{.stored = std::format("{} after {}", end, begin)}; });
    else
      longest = std::max(longest, end - begin);
    // Lengths and nulls have no order that a processor could predict.
    empty += static_cast<unsigned>(end == begin) & static_cast<unsigned>(!null);
    // Decreasing offsets are recorded already.
    if (static_cast<unsigned>(end > begin) & static_cast<unsigned>(null)) [[unlikely]]
      note(into.null_not_empty, entry, [&] {
        return Difference{.stored = std::format("null, with elements [{}, {})", begin, end)};
      });
    if (strings && !strings->step_over(begin, end) && begin < end && end <= bytes)
      strings->entry(entry, begin, end);
  };
  const auto follow = [&](const Block& block, std::uint64_t from, std::uint64_t to, auto bound_at) {
    for (std::uint64_t i = from; i < to; ++i) {
      const std::uint64_t bound = bound_at(i);
      const std::uint64_t place = block.first_row + i - run.first;
      if (place > 0) look(place - 1, bound);
      begin = bound;
    }
  };
  // The entries between an offset of a block and those behind it: true if there is nothing to
  // report about them.
  const auto all_sound = [&](const Block& block, std::uint64_t from) {
    static constexpr std::array<std::byte, kTogether> kValid = [] {
      std::array<std::byte, kTogether> made{};
      made.fill(std::byte{1});
      return made;
    }();
    const std::uint64_t place = block.first_row + from - run.first;
    if (!mask.empty() && mask.size() < place + kTogether) return false;
    const EntryTotals totals = totals_of_entries(
        block.bytes.data() + 8 * from, mask.empty() ? kValid.data() : mask.data() + place);
    const std::uint64_t end = plain_offset_at(block.bytes, from + kTogether);
    if (totals.wrong != 0 || (strings && !strings->step_over(begin, end))) return false;
    empty += totals.empty;
    longest = std::max(longest, totals.longest);
    begin = end;
    return true;
  };
  const auto follow_plain = [&](const Block& block) {
    const auto bound_at = [&](std::uint64_t i) { return plain_offset_at(block.bytes, i); };
    std::uint64_t next = std::min<std::uint64_t>(1, block.rows);
    follow(block, 0, next, bound_at);
    for (; next + kTogether <= block.rows; next += kTogether)
      if (!all_sound(block, next - 1)) follow(block, next, next + kTogether, bound_at);
    follow(block, next, block.rows, bound_at);
  };
  const bool plain = plain_offsets(type);
  const auto error = for_each_block(
      values.stream_rows(*members.offsets, run.first, bounds), [&](const Block& block) {
        if (plain) return follow_plain(block);
        follow(block, 0, block.rows,
               [&](std::uint64_t i) { return offset_at(type, block.bytes, i); });
      });
  if (error) throw UnreadableLevel{error->text()};
  into.empty_entries = empty;
  into.longest = longest;
}

void join_run(ListLevelFacts& into, ListLevelFacts&& later) {
  join(into.decrease, std::move(later.decrease));
  join(into.mask_value, std::move(later.mask_value));
  join(into.null_not_empty, std::move(later.null_not_empty));
  join(into.not_utf8, std::move(later.not_utf8));
  join(into.byte_order_mark, std::move(later.byte_order_mark));
  into.null_entries += later.null_entries;
  into.empty_entries += later.empty_entries;
  into.longest = std::max(into.longest, later.longest);
}

// Long enough that two threads rarely read the same chunk of CHARS.
constexpr std::uint64_t kRunEntries = std::uint64_t{1} << 19;

void judge_entries(const Members& members, std::uint64_t entries, const ListContext& context,
                   ListLevelFacts& into) {
  const std::uint64_t runs = entries / kRunEntries + (entries % kRunEntries != 0);
  std::mutex mutex;
  std::map<std::uint64_t, ListLevelFacts> waiting;
  std::uint64_t next = 0;
  parallel_for(runs, context.jobs, [&](std::uint64_t i) {
    const Run run{i * kRunEntries, std::min(kRunEntries, entries - i * kRunEntries)};
    ListLevelFacts part;
    judge_run(members, run, context.values, part);
    const std::lock_guard lock(mutex);
    waiting.emplace(i, std::move(part));
    for (auto it = waiting.begin(); it != waiting.end() && it->first == next;
         it = waiting.erase(it), ++next)
      join_run(into, std::move(it->second));
  });
}

// --- Levels ------------------------------------------------------------------------------------

std::optional<Obstacle> cannot_be_offsets(const ListLevel& level) {
  const ListMember& member = level.offsets;
  if (!member.link) return broken("no OFFSETS", {"list-offsets-present"});
  if (member.link->unreadable) return broken(level.path + "/OFFSETS: " + *member.link->unreadable);
  const Dataset* data = member.data();
  if (!data && !member.link->hard())
    return broken("OFFSETS is not a hard link",
                  {"list-only-members", "string-values-only-members"});
  if (!data || !data->space.one_dimensional())
    return broken("OFFSETS is not a dataset of rank 1", {"list-offsets-rank-1"});
  if (!can_be_offsets(data->type))
    return broken("OFFSETS does not contain integers", {"list-offsets-uint64"});
  return std::nullopt;
}

std::optional<Obstacle> cannot_be_mask(const ListLevel& level) {
  if (!level.mask.link) return Obstacle{.reason = "no MASK", .broken = false};
  if (level.mask.link->unreadable)
    return broken(level.path + "/MASK: " + *level.mask.link->unreadable);
  const Dataset* data = level.mask.data();
  if (!data && !level.mask.link->hard())
    return broken("MASK is not a hard link", {"list-only-members", "string-values-only-members"});
  if (!data || !data->space.one_dimensional())
    return broken("MASK is not a dataset of rank 1", {"list-mask-rank-1"});
  if (!is_boolean_enum(data->type))
    return broken("MASK is not boolean", {"bool-is-enum", "bool-two-members"});
  return std::nullopt;
}

std::optional<Obstacle> cannot_be_chars(const ListLevel& level) {
  if (level.cls != ListClass::kStrings) return Obstacle{.reason = "no strings", .broken = false};
  if (!level.values.link) return broken("no CHARS", {"string-chars-present"});
  if (level.values.link->unreadable)
    return broken(level.path + "/CHARS: " + *level.values.link->unreadable);
  const Dataset* data = level.values.data();
  if (!data && !level.values.link->hard())
    return broken("CHARS is not a hard link", {"string-values-only-members"});
  if (!data || !data->space.one_dimensional())
    return broken("CHARS is not a dataset of rank 1", {"string-chars-rank-1"});
  if (!data->type.is(TypeClass::kInteger) || data->type.size != 1)
    return broken("CHARS does not contain bytes", {"string-chars-uint8"});
  return std::nullopt;
}

// The contents as far as they extend, whether or not offsets of all entries exist.
void judge_contents(const Members& members, std::uint64_t entries, const ListContext& context,
                    ListLevelFacts& into) {
  const std::uint64_t bounds = members.offsets ? members.offsets->extent().value_or(0) : 0;
  if (bounds > 0) {
    const std::uint64_t first = read_offset(*members.offsets, 0, context.values);
    if (first != 0)
      note(into.first, 0, [&] { return Difference{.stored = std::format("{}", first)}; });
  }
  const std::uint64_t masked = members.mask ? members.mask->extent().value_or(0) : 0;
  judge_entries(members, std::min(entries, std::max(bounds > 0 ? bounds - 1 : 0, masked)), context,
                into);
  if (bounds > 0 && bounds - 1 >= entries)
    into.end = read_offset(*members.offsets, entries, context.values);
}

// The facts of a level with a known number of entries.
void judge_level(const ListLevel& level, const ListContext& context, ListLevelFacts& into) {
  into.offsets = cannot_be_offsets(level);
  into.mask = cannot_be_mask(level);
  into.strings = cannot_be_chars(level);
  into.nulls = into.mask ? into.mask : into.offsets;
  if (!into.strings) into.strings = into.offsets;
  into.no_end = into.offsets;
  if (!into.entries) {
    into.no_end = into.no_entries;
    return;
  }
  try {
    judge_contents({.offsets = into.offsets ? nullptr : level.offsets.data(),
                    .mask = into.mask ? nullptr : level.mask.data(),
                    .chars = into.strings ? nullptr : level.values.data()},
                   *into.entries, context, into);
    if (!into.end && !into.no_end)
      into.no_end = broken("OFFSETS is too short", {"list-offsets-extent"});
  } catch (const UnreadableLevel& trouble) {
    into = {.entries = into.entries, .no_end = broken(trouble.why), .unread = trouble.why};
  } catch (const std::bad_alloc&) {
    record_memory_shortage();
    into = {.entries = into.entries, .no_end = broken("out of memory"), .unread = "out of memory"};
  }
}

// NROWS, unless it is wrong for every column dataset, which is then the only defect.
void count_rows(const Table& table, ListLevelFacts& into) {
  if (!table.nrows) {
    into.no_entries = broken("NROWS is not known", {"nrows-present", "nrows-uint64"});
    return;
  }
  const bool beyond_all =
      !table.columns.empty() && std::ranges::all_of(table.columns, [&](const Column& column) {
        return column.data->extent().value_or(0) < *table.nrows;
      });
  if (beyond_all)
    into.no_entries = broken("NROWS exceeds every column", {"extent-ge-nrows"});
  else
    into.entries = table.nrows;
}

}  // namespace

ListFacts list_facts(const ListColumn& list, const ListContext& context) {
  ListFacts facts;
  facts.levels.resize(list.levels.size());
  count_rows(context.table, facts.levels.front());
  for (std::size_t i = 0; i < list.levels.size() && list.levels[i].judged; ++i) {
    ListLevelFacts& level = facts.levels[i];
    judge_level(list.levels[i], context, level);
    if (i + 1 == list.levels.size()) break;
    facts.levels[i + 1].entries = level.end;
    facts.levels[i + 1].no_entries = level.no_end;
  }
  return facts;
}

}  // namespace hepcheck::hep001
