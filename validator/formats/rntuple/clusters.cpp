#include "validator/formats/rntuple/clusters.h"

#include <algorithm>
#include <format>
#include <set>
#include <tuple>
#include <unordered_map>

#include "validator/formats/rntuple/rule.h"
#include "validator/worker_position.h"

namespace hepcheck::rntuple {

namespace {

// --- Chapter 4: compression settings -------------------------------------------------------------

struct Settings {
  std::uint32_t settings;
  unsigned algorithm = 0;  // of a compressed page
};

bool settings_known(std::uint32_t settings) {
  return settings <= 9 || (settings / 100 >= 1 && settings / 100 <= 5 && settings % 100 <= 9);
}

constexpr Rule kSettings("rntuple-compression-settings-known", [](const Settings& it, Look& look) {
  look.ask(
      settings_known(it.settings), [&] { return std::format("settings {}", it.settings); },
      "algorithm * 100 + level");
});

constexpr Rule kSettingsMatch("rntuple-compression-settings-match", [](const Settings& it,
                                                                       Look& look) {
  look.ask(
      it.settings / 100 == it.algorithm || (it.settings >= 1 && it.settings <= 9),
      [&] {
        return std::format("settings {} over pages of algorithm {}", it.settings, it.algorithm);
      },
      "the algorithm of the settings");
});

// --- 7.1.2: values -------------------------------------------------------------------------------

struct ValueFault {
  bool broken;
  std::string_view what, wanted;
};
void value_fault(const ValueFault& it, Look& look) {
  look.ask(
      !it.broken, [&] { return std::string(it.what); }, [&] { return std::string(it.wanted); });
}
constexpr Rule kMonotone("rntuple-index-monotone", value_fault);
constexpr Rule kAscending("rntuple-sorted-ascending-true", value_fault);
constexpr Rule kDescending("rntuple-sorted-descending-true", value_fault);
constexpr Rule kNonNegative("rntuple-nonnegative-true", value_fault);
constexpr Rule kCharAscii("rntuple-char-ascii", value_fault);
constexpr Rule kOptionalStep("rntuple-map-optional-cardinality", value_fault);

// --- 8.3.4: variants -----------------------------------------------------------------------------

struct TagValue {
  std::optional<std::uint32_t> bad;
  std::uint64_t alternatives;
};
constexpr Rule kTagRange("rntuple-switch-tag-range", [](const TagValue& it, Look& look) {
  look.ask(
      !it.bad, [&] { return std::format("tag {}", *it.bad); },
      [&] { return std::format("0 to {}", it.alternatives); });
});

struct TagIndex {
  std::uint32_t tag;
  std::uint64_t most, count;
  bool ascending;
};
constexpr Rule kIndexRange("rntuple-switch-index-range", [](const TagIndex& it, Look& look) {
  look.ask(
      it.most < it.count, [&] { return std::format("index {} with tag {}", it.most, it.tag); },
      [&] { return std::format("less than {}, the elements with that tag", it.count); });
});
constexpr Rule kIndexOrder("rntuple-switch-index-order", [](const TagIndex& it, Look& look) {
  look.ask(
      it.ascending, [&] { return std::format("another order of the indexes with tag {}", it.tag); },
      "0, 1, 2 and so on");
});

// --- 7.3.2: numbers of elements ------------------------------------------------------------------

struct Elements {
  std::uint64_t listed, demanded;
  std::optional<std::uint64_t> other;
};
constexpr Rule kElementCount("rntuple-column-element-count", [](const Elements& it, Look& look) {
  look.ask(
      it.listed == it.demanded || it.listed == it.other,
      [&] { return std::format("{} elements", it.listed); },
      [&] { return std::format("{}", it.demanded); });
});

struct ElementOffset {
  std::uint64_t offset, elements;
  const std::vector<std::uint64_t>& accepted;
};
constexpr Rule kOffset("rntuple-element-offset", [](const ElementOffset& it, Look& look) {
  look.ask(
      std::ranges::contains(it.accepted, it.offset), [&] { return std::format("{}", it.offset); },
      [&] { return std::format("{}", it.accepted.front()); });
});
constexpr Rule kLimitElements("rntuple-limit-elements", [](const ElementOffset& it, Look& look) {
  look.ask(
      it.elements <= kLargestNumber - it.offset,
      [&] { return std::format("{} elements from {} on", it.elements, it.offset); },
      "at most 2^64-1 elements");
});

struct MissingColumns {
  bool with_elements;
};
constexpr Rule kShortList("rntuple-dialect-short-column-list", [](const MissingColumns& it,
                                                                  Look& look) {
  look.ask(it.with_elements, "a list without columns that the schema extension added later",
           "all columns");
});

// --- 7.3.2, 2: ranges of the file ----------------------------------------------------------------

struct TwoRanges {
  bool overlap;
  std::string what;
};
constexpr Rule kOverlap("rntuple-ranges-overlap", [](const TwoRanges& it, Look& look) {
  look.ask(!it.overlap, it.what, "ranges that are equal or have no byte in common");
});

struct InBlob {
  bool inside;
  Range range;
};
constexpr Rule kInBlob("rntuple-data-in-rblob", [](const InBlob& it, Look& look) {
  look.ask(
      it.inside, [&] { return std::format("bytes {} to {}", it.range.begin, it.range.end); },
      "bytes of one RBlob record");
});

std::uint64_t least_stored(std::uint64_t demanded, const Column& column, std::uint64_t before) {
  if (!column.deferred()) return demanded;
  const std::uint64_t leading = column.first > before ? column.first - before : 0;
  return demanded - std::min(demanded, leading);
}

}  // namespace

Clusters::Clusters(Context& context, const Schema& schema, const Footer& footer,
                   const std::vector<Mapped>& mapped, unsigned threads)
    : context_(context), schema_(schema), footer_(footer), mapped_(mapped), threads_(threads),
      states_(schema.columns.size()), totals_(schema.columns.size()) {
  for (std::uint32_t i = 0; i < schema.columns.size(); ++i) {
    states_[i].offsets = {schema.columns[i].first};
    wants_.push_back(wants_of(i));
  }
  if (mapped_.empty()) return;
  for (std::uint32_t i = 0; i < schema.fields.size(); ++i)
    if (schema.fields[i].parent == i) order_.push_back(i);
  for (std::size_t i = 0; i < order_.size(); ++i)
    for (const std::uint32_t child : schema.fields[order_[i]].children) order_.push_back(child);
}

Wants Clusters::wants_of(std::uint32_t id) const {
  const Column& column = schema_.columns[id];
  Wants wants;
  if (!column.decodable()) return wants;
  wants.index = column.kind().kind == Kind::kIndex;
  wants.order = (column.flags & 7) != 0 && column.kind().kind != Kind::kSwitch;
  if (column.field >= mapped_.size()) return wants;
  const Mapped& field = mapped_[column.field];
  wants.ascii = column.type == kChar && field.shape == Shape::kString;
  wants.tags = column.type == kSwitch && field.shape == Shape::kVariantOf && field.countable;
  if (wants.tags) wants.alternatives = field.alternatives;
  wants.mask = column.type == kBit && field.shape == Shape::kOptional && field.countable;
  return wants;
}

void Clusters::look_at(const PageList& list) {
  struct PageKey {
    std::uint64_t offset, size;
    std::uint32_t elements, type, bits;
    bool checksum;
    Wants wants;
    auto operator<=>(const PageKey&) const = default;
  };
  std::map<PageKey, std::size_t> known;
  std::vector<PageJob> jobs;
  job_of_.assign(list.pages.size(), ~std::size_t{0});
  for (const Cluster& cluster : list.clusters) {
    for (std::size_t c = 0; c < cluster.chunks.size(); ++c) {
      const ColumnChunk& chunk = cluster.chunks[c];
      const std::uint32_t id = column_of(cluster, footer_, c);
      if (id >= schema_.columns.size()) continue;
      const Column& column = schema_.columns[id];
      // The size of an element is not known.
      if (column.kind().known() && !column.decodable()) continue;
      for (std::uint64_t p = chunk.first_page; p < chunk.first_page + chunk.pages; ++p) {
        const PageInfo& page = list.pages[p];
        if (!page.usable) continue;
        const PageKey key{page.offset, page.size,     page.elements, column.type,
                          column.bits, page.checksum, wants_[id]};
        const auto [at, fresh] = known.try_emplace(key, jobs.size());
        if (fresh) jobs.push_back({page, column.type, column.bits, wants_[id]});
        job_of_[p] = at->second;
      }
    }
  }
  facts_ = look_at_pages(context_, jobs, threads_);
}

void ColumnTotals::add(const ColumnTotals& other) {
  elements = sum(elements, other.elements);
  pages += other.pages;
  stored += other.stored;
  plain = sum(plain, other.plain);
  if (other.nulls) nulls = sum(nulls.value_or(0), *other.nulls);
}

void Totals::next_cluster() {
  constexpr std::uint64_t kMostCells = 64, kMostOfAll = std::uint64_t{1} << 14;
  const std::size_t most =
      std::clamp<std::uint64_t>(kMostOfAll / std::max<std::size_t>(1, cells.size()), 1, kMostCells);
  std::size_t count = cells.empty() ? 0 : cells[0].size();
  for (; !cells.empty() && clusters == count * clusters_per_cell; clusters_per_cell *= 2) {
    if (count < most) {
      for (std::vector<ColumnTotals>& column : cells) column.emplace_back();
      break;
    }
    count = (count + 1) / 2;
    for (std::vector<ColumnTotals>& column : cells) {
      for (std::size_t i = 0; i < column.size(); ++i) {
        if (i % 2 == 0)
          column[i / 2] = column[i];
        else
          column[i / 2].add(column[i]);
      }
      column.resize(count);
    }
  }
  ++clusters;
}

void Clusters::examine(const PageList& list, const Path& at, std::uint32_t number,
                       std::optional<std::uint64_t> offset) {
  list_offset_ = offset;
  list_number_ = number;
  look_at(list);
  for (std::uint32_t i = 0; i < list.clusters.size(); ++i) {
    const Cluster& cluster = list.clusters[i];
    totals_.next_cluster();
    const Path path{.up = &at, .kind = "cluster", .index = i};
    examine_cluster(list, cluster, path);
  }
}

void Clusters::examine_cluster(const PageList& list, const Cluster& cluster, const Path& at) {
  now_at(Stage::kChecking, at.text());
  std::vector<Here> here(schema_.columns.size());
  if (!cluster.pages_known) {
    for (State& state : states_) {
      state.any_offset = true;
      state.demanded_known = false;
    }
    return;
  }
  for (std::size_t c = 0; c < cluster.chunks.size(); ++c) {
    const std::uint32_t id = column_of(cluster, footer_, c);
    if (id >= here.size() || here[id].listed) continue;
    here[id].listed = true;
    here[id].chunk = &cluster.chunks[c];
    here[id].suppressed = cluster.chunks[c].suppressed;
    judge_chunk(list, id, here[id], at);
  }
  if (cluster.short_list)
    for (std::size_t id = cluster.chunks.size(); id < here.size(); ++id) here[id].listed = true;
  missing_demand_.reset();
  if (!mapped_.empty()) judge_counts(cluster, here, at);
  if (cluster.short_list) {
    const Place place{.path = &at, .within = cluster.list_at};
    if (missing_demand_)
      context_.notes.fail(
          "rntuple-page-list-columns", place, std::format("{} lists", cluster.chunks.size()),
          std::format("{}, since a missing column has elements", schema_.columns.size()));
    else
      judge<kShortList>(MissingColumns{false}, place, context_.notes);
  } else {
    judge<kShortList>(MissingColumns{true}, Place{.path = &at}, context_.notes);
  }
  judge_offsets(here, at);
}

void Clusters::judge_chunk(const PageList& list, std::uint32_t id, Here& here, const Path& at) {
  const ColumnChunk& chunk = *here.chunk;
  const Column& column = schema_.columns[id];
  const Path path{.up = &at, .kind = "column", .index = id};
  const Place place{.path = &path, .within = chunk.at};
  Notes& notes = context_.notes;
  std::uint64_t stored = 0;
  const bool settings = chunk.pages > 0 && !chunk.suppressed;
  const bool known = settings && settings_known(chunk.settings);
  if (settings) judge<kSettings>(Settings{chunk.settings}, place, notes);
  const bool decoded = !column.kind().known() || column.decodable();
  for (std::uint32_t i = 0; i < chunk.pages; ++i) {
    const std::uint64_t p = chunk.first_page + i;
    const PageInfo& page = list.pages[p];
    here.elements += page.elements;
    stored += page.size;
    const Path at_page{.up = &path, .kind = "page", .index = i};
    const auto refer = [&] {
      const std::uint64_t end = page.offset + page.size;
      const bool room = page.checksum && context_.root.limit() - end >= 8;
      context_.referenced.push_back({{page.offset, end + (room ? 8 : 0)},
                                     {list_number_, static_cast<std::uint32_t>(*at.index), id, i},
                                     true});
    };
    if (job_of_[p] == ~std::size_t{0}) {
      if (page.usable) refer();
      here.usable = false;
      continue;
    }
    const PageFacts& facts = facts_of(p);
    const bool sound = judge_page(facts, page, Place{.path = &at_page}, context_);
    // Where a page is broken, its range is not to be believed either.
    if (sound || !facts.unread.empty()) refer();
    here.usable &= sound;
    if (known && !facts.block.raw && facts.block.algorithm != 0)
      judge<kSettingsMatch>(Settings{chunk.settings, facts.block.algorithm},
                            Place{.path = &at_page, .byte = page.offset}, notes);
  }
  totals_.pages += chunk.pages;
  totals_.stored += stored;
  totals_.plain = sum(totals_.plain, divided_up(product(here.elements, column.bits), 8));
  here.usable &= decoded;
  if (here.usable && column.decodable()) judge_values(list, id, here, at);
  const ColumnTotals own{.elements = here.elements,
                         .pages = chunk.pages,
                         .stored = stored,
                         .plain = product(here.elements, column.bits),
                         .nulls = here.nulls};
  totals_.columns[id].add(own);
  totals_.cells[id].back().add(own);
}

void Clusters::judge_values(const PageList& list, std::uint32_t id, Here& here, const Path& at) {
  const ColumnChunk& chunk = *here.chunk;
  const Column& column = schema_.columns[id];
  const Wants& wants = wants_[id];
  Notes& notes = context_.notes;
  State& state = states_[id];
  const Path path{.up = &at, .kind = "column", .index = id};
  const unsigned bits = column.bits;
  const bool of_optional = column.field < mapped_.size() &&
                           mapped_[column.field].shape == Shape::kOptional &&
                           mapped_[column.field].countable;
  std::optional<std::uint64_t> before;  // the last value of the page before
  std::uint64_t steps = 0;
  bool falls = false;
  for (std::uint32_t i = 0; i < chunk.pages; ++i) {
    const std::uint64_t p = chunk.first_page + i;
    const PageInfo& page = list.pages[p];
    if (page.elements == 0) continue;
    const Values& values = facts_of(p).values;
    const Path at_page{.up = &path, .kind = "page", .index = i};
    const auto place = [&](std::uint64_t element) {
      return Place{.path = &at_page, .within = product(element, bits) / 8, .byte = page.offset};
    };
    const auto ask = [&] < const auto & kRule > (std::optional<std::uint64_t> element,
                                                 std::string_view what, std::string_view wanted) {
      const ValueFault fault{element.has_value(), what, wanted};
      return judge<kRule>(fault, place(element.value_or(0)), notes);
    };
    const auto first_of = [](std::optional<std::uint64_t> a, bool at_start) {
      return at_start ? std::optional<std::uint64_t>(0) : a;
    };
    if (wants.index) {
      const bool down = before && values.first < *before;
      const auto fault = first_of(values.falls, down);
      if (!falls && !ask.template operator()<kMonotone>(fault, "an offset less than the one before",
                                                        "offsets that do not fall")) {
        falls = true;
        here.trusted = false;
      }
      if (of_optional && !falls) {
        const std::uint64_t start = values.first - before.value_or(0);
        const bool large = start > 1 || values.largest_step > 1;
        const std::optional<std::uint64_t> step =
            large ? std::optional(start > 1 ? 0 : values.step_at) : std::nullopt;
        if (steps == 0 && !ask.template operator()<kOptionalStep>(
                              step, "more than one value of an optional field", "0 or 1"))
          ++steps;
      }
    }
    // The offsets of collections start afresh in each cluster.
    const std::optional<std::uint64_t> last = wants.index ? before : state.last;
    if ((column.flags & 1) != 0 && !state.order_told && !(wants.index && falls)) {
      auto fault = first_of(values.falls, last && values.first < *last);
      if (!fault) fault = values.nan;
      if (!ask.template operator()<kAscending>(fault, "a value less than the one before, or NaN",
                                               "ascending values"))
        state.order_told = true;
    }
    if ((column.flags & 2) != 0 && !state.order_told) {
      auto fault = first_of(values.rises, last && values.first > *last);
      if (!fault) fault = values.nan;
      if (!ask.template operator()<kDescending>(fault, "a value larger than the one before, or NaN",
                                                "descending values"))
        state.order_told = true;
    }
    if ((column.flags & 4) != 0)
      ask.template operator()<kNonNegative>(values.negative, "a negative value or NaN",
                                            "values of 0 or more");
    if (wants.ascii)
      ask.template operator()<kCharAscii>(values.non_ascii, "a byte above 0x7F",
                                          "ASCII characters");
    before = values.last;
    state.last = values.last;
    here.last = values.last;
    if (wants.mask) here.nulls = here.nulls.value_or(0) + values.unset;
  }
  if (wants.index && of_optional && here.trusted && here.last <= here.elements)
    here.nulls = here.elements - here.last;
  if (wants.tags) judge_switch(list, id, here, at);
}

void Clusters::judge_switch(const PageList& list, std::uint32_t id, Here& here, const Path& at) {
  const ColumnChunk& chunk = *here.chunk;
  Notes& notes = context_.notes;
  const Path path{.up = &at, .kind = "column", .index = id};
  std::map<std::uint32_t, TagIndex> found;
  for (std::uint32_t i = 0; i < chunk.pages; ++i) {
    const std::uint64_t p = chunk.first_page + i;
    const Values& values = facts_of(p).values;
    const Path at_page{.up = &path, .kind = "page", .index = i};
    const TagValue tag{values.bad_tag ? std::optional(values.bad_tag_value) : std::nullopt,
                       wants_[id].alternatives};
    if (!judge<kTagRange>(tag,
                          Place{.path = &at_page,
                                .within = values.bad_tag.value_or(0) * 12,
                                .byte = list.pages[p].offset},
                          notes)) {
      here.trusted = false;
      return;
    }
    for (const TagFacts& facts : values.tags) {
      TagIndex& it = found.try_emplace(facts.tag, TagIndex{facts.tag, 0, 0, true}).first->second;
      it.ascending &= facts.ascending && facts.first == it.count;
      it.most = std::max(it.most, facts.most);
      it.count += facts.count;
    }
  }
  for (const auto& [tag, it] : found) {
    here.tags[tag] = it.count;
    const Place place{.path = &path, .within = chunk.at};
    if (judge<kIndexRange>(it, place, notes)) judge<kIndexOrder>(it, place, notes);
  }
}

// The columns of the representation that is stored in this cluster.
std::vector<std::uint32_t> Clusters::active(const Field& field,
                                            const std::vector<Here>& here) const {
  std::vector<std::uint32_t> made;
  std::optional<std::uint16_t> representation;
  for (const std::uint32_t id : field.columns) {
    if (!here[id].listed || here[id].suppressed) continue;
    if (!representation) representation = schema_.columns[id].representation;
    if (schema_.columns[id].representation == *representation) made.push_back(id);
  }
  return made;
}

bool Clusters::demand(std::uint32_t id, const Count& count, std::vector<Here>& here,
                      const Path& at) {
  Here& it = here[id];
  const Column& column = schema_.columns[id];
  State& state = states_[id];
  if (column.deferred() && !state.demanded_known) return true;
  const std::uint64_t demanded = least_stored(count.n, column, state.demanded);
  std::optional<std::uint64_t> other;
  if (count.other) other = least_stored(*count.other, column, state.demanded);
  it.demanded = count.n;
  if (!it.chunk) {
    if (demanded != 0 && other != 0U) missing_demand_ = demanded;
    return true;
  }
  if (!it.usable) return true;
  const Path path{.up = &at, .kind = "column", .index = id};
  const Place place{
      .path = &path,
      .within = it.chunk->at,
      .byte = list_offset_ ? std::optional(*list_offset_ + it.chunk->at) : std::nullopt};
  if (judge<kElementCount>(Elements{it.elements, demanded, other}, place, context_.notes))
    return true;
  it.count_failed = true;
  return false;
}

void Clusters::judge_counts(const Cluster& cluster, std::vector<Here>& here, const Path& at) {
  std::vector<std::optional<Count>> counts(schema_.fields.size());
  for (const std::uint32_t id : order_) {
    const Field& field = schema_.fields[id];
    if (field.parent == id) counts[id] = Count{cluster.entries, std::nullopt};
    if (!counts[id] || !mapped_[id].countable || mapped_[id].shape == Shape::kOther) {
      counts[id].reset();
      continue;
    }
    const Count own = *counts[id];
    count_field(id, own, here, at, counts);
  }
  for (std::uint32_t id = 0; id < here.size(); ++id) {
    State& state = states_[id];
    if (here[id].demanded)
      state.demanded = sum(state.demanded, *here[id].demanded);
    else if (!cluster.sharded() || here[id].listed)
      state.demanded_known &= here[id].suppressed;
  }
}

bool Clusters::count_field(std::uint32_t id, const Count& own, std::vector<Here>& here,
                           const Path& at, std::vector<std::optional<Count>>& counts) {
  const Field& field = schema_.fields[id];
  const std::vector<std::uint32_t> columns = active(field, here);
  const auto times = [](Count count, std::uint64_t factor) {
    count.n = product(count.n, factor);
    if (count.other) count.other = product(*count.other, factor);
    return count;
  };
  const auto pass_on = [&](const std::optional<Count>& count) {
    for (const std::uint32_t child : field.children) counts[child] = count;
  };
  const Count repeated = field.repetitive() ? times(own, field.array_size) : own;
  // A representation that is not stored here leaves the field uncounted.
  const bool needs_column = !field.columns.empty();
  if (needs_column && columns.empty()) return false;
  // Only leaves and arrays repeat; for others nobody says what repetition means.
  const Shape shape = mapped_[id].shape;
  if (field.repetitive() && shape != Shape::kLeafField && shape != Shape::kArray &&
      shape != Shape::kParent)
    return false;
  switch (mapped_[id].shape) {
    case Shape::kLeafField: return !needs_column || demand(columns[0], repeated, here, at);
    case Shape::kString: {
      const bool sound = demand(columns[0], repeated, here, at);
      const Here& index = here[columns[0]];
      if (index.usable && index.trusted && columns.size() > 1)
        return demand(columns[1], Count{index.elements > 0 ? index.last : 0, std::nullopt}, here,
                      at) &&
               sound;
      return sound;
    }
    case Shape::kArray:
      pass_on(field.repetitive() ? repeated : Count{0, std::nullopt});
      return true;
    case Shape::kParent: pass_on(repeated); return true;
    case Shape::kOptional:
    case Shape::kCollectionOf: {
      const bool sound = demand(columns[0], repeated, here, at);
      const Column& column = schema_.columns[columns[0]];
      const Here& index = here[columns[0]];
      if (column.type == kBit) {
        Count count = repeated;
        if (column.deferred() && index.elements != count.n) count.other = index.elements;
        if (index.usable) pass_on(count);
        return sound;
      }
      if (index.usable && index.trusted && column.decodable())
        pass_on(Count{index.elements > 0 ? index.last : 0, std::nullopt});
      return sound;
    }
    case Shape::kVariantOf: {
      const bool sound = demand(columns[0], repeated, here, at);
      const Here& tags = here[columns[0]];
      if (!tags.usable || !tags.trusted) return sound;
      for (std::uint32_t k = 0; k < field.children.size(); ++k) {
        const auto found = tags.tags.find(k + 1);
        counts[field.children[k]] =
            Count{found == tags.tags.end() ? 0 : found->second, std::nullopt};
      }
      return sound;
    }
    case Shape::kOther: break;
  }
  return true;
}

void Clusters::judge_offsets(std::vector<Here>& here, const Path& at) {
  Notes& notes = context_.notes;
  for (std::uint32_t id = 0; id < here.size(); ++id) {
    Here& it = here[id];
    State& state = states_[id];
    const Column& column = schema_.columns[id];
    if (!it.chunk) continue;
    if (it.suppressed) {
      // It counts the elements of the representation that is stored instead.
      if (column.field >= schema_.fields.size()) continue;
      const Field& field = schema_.fields[column.field];
      const std::vector<std::uint32_t> stored = active(field, here);
      std::size_t position = 0;
      for (const std::uint32_t other : field.columns)
        position += other < id && schema_.columns[other].representation == column.representation;
      if (position < stored.size())
        for (std::uint64_t& each : state.offsets) each = sum(each, here[stored[position]].elements);
      else
        state.any_offset = true;
      continue;
    }
    const std::uint64_t offset = it.chunk->element_offset;
    const Path path{.up = &at, .kind = "column", .index = id};
    const Place place{
        .path = &path,
        .within = it.chunk->at,
        .byte = list_offset_ ? std::optional(*list_offset_ + it.chunk->at) : std::nullopt};
    std::vector<std::uint64_t> accepted = state.offsets;
    const bool before_first = column.deferred() && !state.stored && it.elements == 0;
    if (before_first) accepted.push_back(0);
    const ElementOffset seen{offset, it.elements, accepted};
    if (!judge<kLimitElements>(seen, place, notes)) {
      state.any_offset = true;
      continue;
    }
    if (!state.any_offset) judge<kOffset>(seen, place, notes);
    if (before_first && offset == 0) continue;
    state.stored |= it.elements > 0;
    state.any_offset = !it.usable && it.chunk->pages > 0 && column.decodable();
    state.offsets = {offset + it.elements};
    if (it.count_failed && it.demanded) state.offsets.push_back(sum(offset, *it.demanded));
  }
}

void judge_ranges(Context& context, const Path& path) {
  std::vector<Referenced>& all = context.referenced;
  Notes& notes = context.notes;
  std::ranges::sort(all);
  const auto name = [&](const Referenced& it) {
    return it.page          ? std::format("pagelist[{}]/cluster[{}]/column[{}]/page[{}]", it.who[0],
                                          it.who[1], it.who[2], it.who[3])
           : it.who[0] == 1 ? std::string("header")
           : it.who[0] == 2
               ? std::string("footer")
               : std::format("{}[{}]", it.who[0] == 3 ? "pagelist" : "metadata", it.who[1]);
  };
  const Referenced* before = nullptr;
  for (const Referenced& it : all) {
    if (it.range.begin == it.range.end) continue;
    const bool equal = before && before->range == it.range;
    const bool overlap = before && !equal && it.range.begin < before->range.end;
    judge<kOverlap>(
        TwoRanges{overlap, overlap ? name(*before) + " and " + name(it) + " overlap" : ""},
        Place{.path = &path, .byte = it.range.begin}, notes);
    if (!before || it.range.end > before->range.end) before = &it;
  }
  const Blobs& blobs = context.root.blobs();
  std::optional<Range> done, record;
  bool unknown = false;
  for (const Referenced& it : all) {
    if (it.range.begin == it.range.end || done == it.range) continue;
    done = it.range;
    const auto within = [&](const Range& payload) {
      return payload.begin <= it.range.begin && it.range.end <= payload.end;
    };
    const auto after = std::ranges::upper_bound(blobs.payloads, it.range.begin, {}, &Range::begin);
    bool inside = after != blobs.payloads.begin() && within(*std::prev(after));
    if (!inside && !blobs.complete) {
      // Behind a gap in the chain, a record is known by the header directly before its payload.
      if (!record || !within(*record)) record = context.root.blob_at(it.range.begin);
      inside = record && within(*record);
      unknown |= !inside;
      if (!inside) continue;
    }
    const std::string what = name(it);
    const Path at{.up = &path, .kind = what};
    judge<kInBlob>(InBlob{inside, it.range}, Place{.path = &at, .byte = it.range.begin}, notes);
  }
  if (unknown) block<kInBlob>("the record chain cannot be walked", {}, notes);
}

void cluster_rules(RuleList& list) {
  list.structure<kOverlap, kInBlob>();
  list.values<kSettings, kSettingsMatch, kMonotone, kAscending, kDescending, kNonNegative,
              kCharAscii, kOptionalStep, kTagRange, kIndexRange, kIndexOrder, kElementCount,
              kOffset, kLimitElements, kShortList>();
}

}  // namespace hepcheck::rntuple
