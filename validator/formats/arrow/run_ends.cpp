// Format 1.5, chapter 3.14: run-end encoded arrays.
#include <algorithm>
#include <bit>
#include <format>
#include <functional>

#include "validator/formats/arrow/adjacent.h"
#include "validator/formats/arrow/array.h"
#include "validator/formats/arrow/faults.h"
#include "validator/vectors.h"

namespace hepcheck::arrow {

namespace {

struct RunLengths {
  std::int64_t ends, values;
};

constexpr Rule kValuesNotShorter("arrow-run-end-values-not-shorter", [](const RunLengths& it,
                                                                        Look& look) {
  look.ask(
      it.values >= it.ends, [&] { return std::format("{} values", it.values); },
      [&] { return std::format("{}, one for each run end", it.ends); });
});
constexpr Rule kValuesNotLonger("arrow-run-end-values-not-longer", [](const RunLengths& it,
                                                                      Look& look) {
  look.ask(
      it.values <= it.ends, [&] { return std::format("{} values", it.values); },
      [&] { return std::format("{}, one for each run end", it.ends); });
});

struct RunEnds {
  const Array& ends;
  std::uint64_t length;  // of the parent
  std::int64_t first, last;
};

constexpr Rule kEndsPositive("arrow-run-ends-positive", [](const RunEnds& it, Look& look) {
  if (it.ends.length() == 0) return;
  look.ask(it.first >= 1, [&] { return std::format("first run end {}", it.first); }, "1 or more");
});

constexpr Rule<Faults> kEndsAscending("arrow-run-ends-ascending", report_faults);

bool covers(const RunEnds& it) {
  return it.last > 0 && static_cast<std::uint64_t>(it.last) >= it.length;
}

constexpr Rule kEndsCover("arrow-run-ends-cover-length", [](const RunEnds& it, Look& look) {
  // A single run that ends before the first slot has its own clause.
  if (it.length == 0 || (it.ends.length() == 1 && it.first < 1)) return;
  look.ask(
      it.ends.length() > 0 && covers(it),
      [&] {
        return it.ends.length() > 0 ? std::format("last run end {}", it.last)
                                    : std::string("no run ends");
      },
      [&] { return std::format("{} or more, the length of the array", it.length); });
});

constexpr Rule kEndsNotBeyond("arrow-run-ends-not-beyond-length", [](const RunEnds& it,
                                                                     Look& look) {
  const bool beyond =
      it.ends.length() > 0 &&
      (it.length == 0 || (covers(it) && static_cast<std::uint64_t>(it.last) > it.length));
  look.ask(
      !beyond, [&] { return std::format("last run end {}", it.last); },
      [&] { return std::format("{}, the length of the array", it.length); });
});

struct RunNulls {
  std::uint64_t nulls;
};

constexpr Rule kNullRuns("arrow-run-end-not-nullable-no-nulls", [](const RunNulls& it, Look& look) {
  look.ask(
      it.nulls == 0, [&] { return std::format("{} runs of null", it.nulls); },
      "none: the field is not nullable");
});

// Whether one of the run ends is not below the next.
HEPCHECK_VECTORS bool some_do_not_ascend(const std::byte* data, std::int16_t) {
  return any_adjacent<std::int16_t>(data, std::less_equal<>());
}
HEPCHECK_VECTORS bool some_do_not_ascend(const std::byte* data, std::int32_t) {
  return any_adjacent<std::int32_t>(data, std::less_equal<>());
}
HEPCHECK_VECTORS bool some_do_not_ascend(const std::byte* data, std::int64_t) {
  return any_adjacent<std::int64_t>(data, std::less_equal<>());
}

template <class T>
Faults descents(const Array& ends) {
  Faults found{&ends, &ends.first, ends.number_of_first(), sizeof(T)};
  const std::byte* data = ends.first.bytes.data();
  for (std::uint64_t begin = 1; begin < ends.length(); begin += kAdjacentTogether) {
    const std::uint64_t end = std::min(ends.length(), begin + kAdjacentTogether);
    if (end - begin == kAdjacentTogether && ends.order == std::endian::native &&
        !some_do_not_ascend(data + (begin - 1) * sizeof(T), T{}))
      continue;
    for (std::uint64_t i = begin; i < end; ++i) {
      const T before = load<T>(data + (i - 1) * sizeof(T), ends.order),
              here = load<T>(data + i * sizeof(T), ends.order);
      if (here <= before)
        found.add(
            i, [&] { return std::format("run end {} after {}", here, before); },
            [] { return "a run end above the one before"; });
    }
  }
  return found;
}

Faults all_descents(const Array& ends) {
  switch (ends.layout.width) {
    case 2: return descents<std::int16_t>(ends);
    case 4: return descents<std::int32_t>(ends);
    default: return descents<std::int64_t>(ends);
  }
}

// The runs that cover a slot below the length, for run ends that ascend.
std::uint64_t used_runs(const Array& ends, std::uint64_t length) {
  if (length == 0) return 0;
  std::uint64_t begin = 0, end = ends.length();
  while (begin < end) {
    const std::uint64_t middle = begin + (end - begin) / 2;
    const std::int64_t value = run_end(ends, middle);
    if (value < 0 || static_cast<std::uint64_t>(value) < length)
      begin = middle + 1;
    else
      end = middle;
  }
  return std::min(ends.length(), begin + 1);
}

// Values of runs may be run-end encoded themselves. The innermost array around these runs that must
// have no nulls; null if there is none.
const Array* demanding(const Runs& runs) {
  const Array& it = runs.parent;
  if (it.role == Role::kMapKey) return &it;
  if (it.role == Role::kDictionaryValues) return nullptr;
  if (!it.field.nullable) return &it;
  return it.runs ? demanding(*it.runs) : nullptr;
}

// Whether the run ends of all arrays up to this one are known.
bool known_up_to(const Array& outer, const Runs& runs) {
  return runs.known && (&runs.parent == &outer || known_up_to(outer, *runs.parent.runs));
}
bool unexamined_up_to(const Array& outer, const Runs& runs) {
  return runs.unexamined || (&runs.parent != &outer && unexamined_up_to(outer, *runs.parent.runs));
}

// The runs that cover a slot of this array below its length.
std::uint64_t used_by(const Array& outer, const Runs& runs) {
  if (&runs.parent == &outer) return runs.used;
  return used_runs(*runs.ends, std::min(runs.parent.length(), used_by(outer, *runs.parent.runs)));
}

}  // namespace

std::int64_t run_end(const Array& ends, std::uint64_t run) {
  return offset_at(ends.first.bytes, run, ends.layout.width, ends.order);
}

void judge_run_lengths(const Array& parent, std::int64_t ends, std::int64_t values, Notes& notes) {
  if (ends < 0 || values < 0) return;
  judge_each<kValuesNotShorter>(RunLengths{ends, values}, parent.place(), notes);
  judge_each<kValuesNotLonger>(RunLengths{ends, values}, parent.place(), notes);
}

void judge_run_ends(const Array& ends, Runs& runs, Notes& notes) {
  for (const Loaded* each : {&ends.validity, &ends.first}) {
    block_if_unexamined<kEndsPositive, kEndsAscending, kEndsCover, kEndsNotBeyond>(
        ends, *each, each == &ends.first ? ends.number_of_first() : 0, notes);
    runs.unexamined |= each->unexamined();
  }
  if (!ends.nulls_known || ends.zeros.value_or(0) > 0 || !ends.first.usable() ||
      !has_room(ends.first, ends.length(), ends.layout.width) || !ends.first.open() ||
      runs.parent.node.length < 0)
    return;
  const std::uint64_t count = ends.length();
  const RunEnds it{ends, runs.parent.length(), count > 0 ? run_end(ends, 0) : 0,
                   count > 0 ? run_end(ends, count - 1) : 0};
  const Place place{.path = &ends.path, .buffer = ends.number_of_first(), .byte = ends.first.byte};
  const bool positive = judge<kEndsPositive>(it, place, notes);
  if (!judge<kEndsAscending>(all_descents(ends), place, notes)) return;
  const bool whole = judge<kEndsCover>(it, place, notes);
  judge_each<kEndsNotBeyond>(it, place, notes);
  runs.known = positive && whole;
  runs.ends = &ends;
  runs.used = used_runs(ends, runs.parent.length());
}

void judge_run_nulls(const Array& values, Notes& notes) {
  const Runs& runs = *values.runs;
  const Array* const outer = demanding(runs);
  if (!outer || values.layout.kind == ArrayLayout::Kind::kRunEndEncoded) return;
  const bool key = outer->role == Role::kMapKey;
  const auto block_nulls = [&] {
    if (key) return block_key_nulls(*outer, notes);
    block<kNullRuns>(values.place().object() + ": which slots are null could not be examined", {},
                     notes);
  };
  const bool all_null = values.layout.kind == ArrayLayout::Kind::kNull;
  if (unexamined_up_to(*outer, runs) || (values.has_validity && values.validity.unexamined()))
    return block_nulls();
  if (!known_up_to(*outer, runs) || (values.has_validity && !values.nulls_known)) return;
  const std::uint64_t used = std::min(used_by(*outer, runs), values.length());
  RunNulls it{0};
  if (all_null || values.zeros.value_or(0) > 0) {
    std::unique_ptr<Bits> bare;
    if (values.cover && !values.cover->bare(used, false, bare)) {
      if (values.cover->unexamined()) block_nulls();
      return;
    }
    if (all_null && !bare) {
      it.nulls = used;
    } else {
      for (std::uint64_t w = 0; 64 * w < used; ++w) {
        const std::uint64_t valid = all_null ? 0 : word_of(values.validity.bytes, w);
        it.nulls += static_cast<std::uint64_t>(
            std::popcount(~valid & (bare ? bare->word(w) : ~std::uint64_t{0}) & within(used, w)));
      }
    }
  }
  if (key) return judge_key_nulls(*outer, it.nulls, notes);
  judge_each<kNullRuns>(it, outer->place(), notes);
}

void run_end_rules(RuleList& list) {
  list.structure<kValuesNotShorter, kValuesNotLonger>();
  list.values<kEndsPositive, kEndsAscending, kEndsCover, kEndsNotBeyond, kNullRuns>();
}

}  // namespace hepcheck::arrow
