#include "validator/formats/arrow/arrays.h"

#include <algorithm>
#include <format>
#include <optional>
#include <utility>
#include <vector>

#include "validator/formats/arrow/rule.h"

namespace hepcheck::arrow {

namespace {

struct ColumnLength {
  std::int64_t node, batch;
};

constexpr Rule kColumn("arrow-batch-column-length", [](const ColumnLength& it, Look& look) {
  look.ask(
      it.node == it.batch, [&] { return std::format("a column of {}", it.node); },
      [&] { return std::format("{}, the length of the batch", it.batch); });
});

// The effect of the nulls of an array, and of its parents, on a child. `range`: the slots of the
// child that slot i covers, [begin, end).
template <class Range>
Cover cover_of(const Array& it, bool can_be_known,
               std::uint64_t (*slots_for)(const Array&, std::uint64_t), Range range) {
  return Cover(it, [&it, can_be_known, slots_for, range](const Cover& self, std::uint64_t length,
                                                         bool keys, std::unique_ptr<Bits>& bare) {
    const std::uint64_t slots = slots_for(it, length);
    const VisibleSlots visible(it, slots, keys);
    if (!visible) return false;
    if (visible.seen().all()) return true;
    if (!can_be_known) return false;
    if (!it.body->budget().examine(length / 8 + slots / 8)) return self.refuse();
    auto made = std::make_unique<Bits>(length);
    visible.seen().each_hidden(slots, [&](std::uint64_t i) {
      const auto [begin, end] = range(i);
      made->clear(begin, std::min(end, length));
    });
    bare = std::move(made);
    return true;
  });
}

using Range = std::pair<std::uint64_t, std::uint64_t>;

std::uint64_t all_slots(const Array& it, std::uint64_t) { return it.length(); }
std::uint64_t same_slots(const Array& it, std::uint64_t length) {
  return std::min(it.length(), length);
}
std::uint64_t slots_of_lists(const Array& it, std::uint64_t length) {
  return it.layout.width == 0 ? 0 : std::min(it.length(), divided_up(length, it.layout.width));
}

bool is_json(const Array& it) { return it.field.extension.kind == Extension::Kind::kJson; }

Want all_if(bool contents) { return contents ? Want::kAll : Want::kSize; }
Want parts_if(bool contents) { return contents ? Want::kParts : Want::kSize; }

}  // namespace

Arrays::Arrays(Body& body, std::endian order, Notes& notes, OnKeys on_keys, UnwantedOf unwanted_of,
               Unwanted* unwanted)
    : body_(body), batch_(body.batch()), order_(order),
      union_validity_(batch_.message.version == kV4),
      judges_newer_(notes.judges("arrow-view-buffer-size")), notes_(notes),
      on_keys_(std::move(on_keys)), unwanted_of_(std::move(unwanted_of)), unwanted_(unwanted) {}

void Arrays::columns(const Columns& columns, const ColumnRange& range, const Path& batch) {
  node_ = range.node;
  buffer_ = range.buffer;
  view_ = range.view;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const Path path = columns.values ? Path{.up = &batch, .kind = "values"}
                                     : path_of(batch, "field", i, columns[i]);
    column(columns[i], columns.layout(i), path,
           columns.values ? Role::kDictionaryValues : Role::kPlain);
  }
}

std::vector<ColumnRange> divided(const Batch& batch, const Columns& columns, std::uint64_t bytes) {
  std::vector<ColumnRange> ranges;
  for (const ColumnParts& each : parts_of(batch, columns)) {
    if (ranges.empty() || ranges.back().bytes >= bytes)
      ranges.push_back({.begin = each.column,
                        .node = static_cast<std::uint32_t>(each.node),
                        .buffer = static_cast<std::uint32_t>(each.buffer),
                        .view = static_cast<std::uint32_t>(each.view)});
    ranges.back().bytes = sum(ranges.back().bytes, each.bytes);
    ranges.back().end = each.column + 1;
  }
  return ranges;
}

void Arrays::column(const Field& field, const ArrayLayout& layout, const Path& path, Role role) {
  const std::int64_t length = batch_.node(node_).length;
  if (length >= 0)
    judge_each<kColumn>(ColumnLength{length, batch_.length},
                        {.path = &path, .byte = byte_of_node(node_)}, notes_);
  const Cover none;
  array(field, layout, path, none, role, nullptr);
}

std::uint64_t Arrays::byte_of_node(std::uint32_t node) const {
  return batch_.message.metadata_at() + batch_.nodes.at(node, 16);
}

Array Arrays::started(const Field& field, const ArrayLayout& layout, const Path& path,
                      const Cover& cover, Role role, const Runs* runs) {
  Array it{.field = field,
           .layout = layout,
           .path = path,
           .byte = byte_of_node(node_),
           .node = batch_.node(node_),
           .version = batch_.message.version,
           .order = order_,
           .role = role,
           .cover = &cover,
           .body = &body_,
           .runs = runs};
  ++node_;
  it.has_validity = layout.has_validity(union_validity_);
  const bool possible = judge_node(it, notes_);
  if (it.has_validity) it.validity = next_buffer(it, 0, all_if(possible));
  if (possible) judge_nulls(it, notes_);
  if (possible && runs) judge_run_nulls(it, notes_);
  return it;
}

void Arrays::array(const Field& field, const ArrayLayout& layout, const Path& path,
                   const Cover& cover, Role role, const MapSlots* keys, const Runs* runs) {
  const std::size_t mark = body_.mark();
  Array it = started(field, layout, path, cover, role, runs);
  switch (layout.kind) {
    case ArrayLayout::Kind::kUnknown:
    case ArrayLayout::Kind::kNull: break;
    case ArrayLayout::Kind::kFixedWidth:
    case ArrayLayout::Kind::kBool: fixed(it, role == Role::kMapKey ? keys : nullptr); break;
    case ArrayLayout::Kind::kBinary: binary(it, role == Role::kMapKey ? keys : nullptr); break;
    case ArrayLayout::Kind::kList: list_of(it); break;
    case ArrayLayout::Kind::kFixedSizeList: fixed_size_list(it); break;
    case ArrayLayout::Kind::kStruct: struct_of(it, keys); break;
    case ArrayLayout::Kind::kSparseUnion:
    case ArrayLayout::Kind::kDenseUnion: union_of(it); break;
    case ArrayLayout::Kind::kDictionary: dictionary(it); break;
    case ArrayLayout::Kind::kRunEndEncoded: judges_newer_ ? run_ended(it) : newer(it); break;
    case ArrayLayout::Kind::kView:
      judges_newer_ ? view(it, role == Role::kMapKey ? keys : nullptr) : newer(it);
      break;
    case ArrayLayout::Kind::kListView: judges_newer_ ? list_view(it) : newer(it); break;
  }
  body_.release(mark);
}

Loaded Arrays::next_buffer(Array& it, unsigned number, Want want) {
  return body_.load(buffer_++, it.path, number, notes_, want);
}

void Arrays::load_first(Array& it, Want want) {
  it.first = next_buffer(it, it.number_of_first(), want);
}

void Arrays::load_second(Array& it, Want want) {
  it.second = next_buffer(it, it.number_of_first() + 1, want);
}

void Arrays::child(const Array& parent, std::size_t i, const Cover& cover, Role role,
                   const MapSlots* keys, const Runs* runs) {
  const Field& field = parent.field.children[i];
  const Path path = path_of(parent.path, "child", i, field);
  array(field, field.array_layout(), path, cover, role, keys, runs);
}

std::vector<std::int64_t> Arrays::child_lengths(const Array& it) const {
  std::vector<std::int64_t> lengths;
  std::uint64_t node = node_;
  for (const Field& field : it.field.children) {
    lengths.push_back(batch_.node(static_cast<std::uint32_t>(node)).length);
    node += extent_of(field, field.array_layout(), union_validity_).nodes;
  }
  return lengths;
}

void Arrays::fixed(Array& it, const MapSlots* keys) {
  const bool possible = it.node.length >= 0;
  load_first(it,
             all_if(possible && (has_value_rules(it.field) || limits_numbers(it.field) || keys)));
  if (!possible) return;
  const bool enough = judge_slots(it, notes_);
  if (enough || it.first.unexamined()) judge_values(it, notes_);
  if ((enough || it.first.unexamined()) && limits_numbers(it.field))
    judge_extension_numbers(it, unwanted_, notes_);
  it.readable = enough && it.first.bytes.size() == it.first.size;
  if (keys) judge_key_order(it, *keys, notes_);
}

void Arrays::binary(Array& it, const MapSlots* keys) {
  const bool possible = it.node.length >= 0;
  const TypeTag tag = it.field.type.tag;
  const bool text = tag == TypeTag::kUtf8 || tag == TypeTag::kLargeUtf8;
  load_first(it, keys ? all_if(possible) : parts_if(possible));
  load_second(it, keys ? all_if(possible) : parts_if(possible && text));
  if (!possible) return;
  const bool sound = judge_binary(it, notes_);
  if (is_json(it)) judge_json_texts(it, sound, notes_);
  it.readable = sound && it.second.bytes.size() == it.second.size;
  if (keys) judge_key_order(it, *keys, notes_);
}

void Arrays::list_of(Array& it) {
  const bool possible = it.node.length >= 0;
  load_first(it, all_if(possible));
  const bool followed = possible && judge_list(it, batch_.node(node_).length, notes_);
  const Cover cover = cover_of(it, followed, all_slots, [&it](std::uint64_t i) {
    const auto offset = [&](std::uint64_t k) {
      return static_cast<std::uint64_t>(offset_at(it.first.bytes, k, it.layout.width, it.order));
    };
    return Range{offset(i), offset(i + 1)};
  });
  const bool map = it.field.type.tag == TypeTag::kMap;
  const MapSlots slots{it, it.first.bytes};
  const bool sorted = map && it.field.type.keys_sorted && followed;
  child(it, 0, it.length() == 0 ? Cover() : cover, map ? Role::kMapEntries : Role::kPlain,
        sorted ? &slots : nullptr);
}

void Arrays::fixed_size_list(Array& it) {
  if (it.node.length >= 0) judge_fixed_size_list(it, batch_.node(node_).length, notes_);
  const std::uint64_t size = it.layout.width;
  const Cover cover = cover_of(it, true, slots_of_lists,
                               [size](std::uint64_t i) { return Range{i * size, (i + 1) * size}; });
  child(it, 0, cover);
}

void Arrays::struct_of(Array& it, const MapSlots* keys) {
  const std::vector<std::int64_t> lengths = child_lengths(it);
  const Position begin = position();
  const Cover cover =
      cover_of(it, true, same_slots, [](std::uint64_t i) { return Range{i, i + 1}; });
  for (std::size_t i = 0; i < it.field.children.size(); ++i) {
    const Path path = path_of(it.path, "child", i, it.field.children[i]);
    if (it.node.length >= 0) judge_child_length(it, path, byte_of_node(node_), lengths[i], notes_);
    const bool key = it.role == Role::kMapEntries && i == 0;
    child(it, i, cover, key ? Role::kMapKey : Role::kPlain, key ? keys : nullptr);
  }
  if (it.field.extension.kind == Extension::Kind::kVariableTensor && it.node.length >= 0)
    tensors(it, begin);
}

void Arrays::tensors(Array& it, const Position& begin) {
  const Position end = position();
  go_to(begin);
  const std::size_t mark = body_.mark();
  const Cover none;
  const Field &data_field = it.field.children[0], &shape_field = it.field.children[1],
              &item_field = data_field.children[0], &sizes_field = shape_field.children[0];
  if (data_field.encoding || shape_field.encoding || sizes_field.encoding) {
    block_extension_values(
        it.field, it.place().object() + ": dictionaries of data or of shapes are not followed",
        notes_);
    return go_to(end);
  }
  std::optional<Notes::Silence> silence(std::in_place, notes_);
  Array data = started(data_field, data_field.layout, it.path, none, Role::kPlain);
  load_first(data, Want::kAll);
  const bool lists = data.node.length >= 0 && judge_list(data, batch_.node(node_).length, notes_);
  skip(item_field);
  const Array shape = started(shape_field, shape_field.layout, it.path, none, Role::kPlain);
  Array sizes = started(sizes_field, sizes_field.layout, it.path, none, Role::kPlain);
  load_first(sizes, Want::kAll);
  silence.reset();
  if (lists || it.length() == 0 || data.first.unexamined())
    judge_tensors({it, data, shape, sizes}, unwanted_, notes_);
  body_.release(mark);
  go_to(end);
}

// Leaves out the array of a field.
void Arrays::skip(const Field& field) {
  const Extent extent = extent_of(field, field.array_layout(), union_validity_);
  node_ += static_cast<std::uint32_t>(extent.nodes);
  buffer_ += static_cast<std::uint32_t>(sum(extent.buffers, batch_.of_views(view_, extent.views)));
  view_ += static_cast<std::uint32_t>(extent.views);
}

void Arrays::union_of(Array& it) {
  const bool possible = it.node.length >= 0,
             dense = it.layout.kind == ArrayLayout::Kind::kDenseUnion;
  const std::vector<std::int64_t> lengths = child_lengths(it);
  load_first(it, all_if(possible));
  if (dense) load_second(it, all_if(possible));
  const UnionSlots slots = possible ? judge_union(it, lengths, notes_) : UnionSlots{};
  const std::vector<int> children = children_by_id(it.field);
  for (std::size_t i = 0; i < it.field.children.size(); ++i) {
    const Path path = path_of(it.path, "child", i, it.field.children[i]);
    if (!dense && possible) judge_child_length(it, path, byte_of_node(node_), lengths[i], notes_);
    const auto selects = [&it, &children, i](std::uint64_t slot) {
      const auto id = static_cast<std::size_t>(it.first.bytes[slot]);
      return id < children.size() && children[id] == static_cast<int>(i);
    };
    const auto offset = [&it](std::uint64_t slot) {
      return static_cast<std::uint64_t>(
          load<std::int32_t>(it.second.bytes.data() + 4 * slot, it.order));
    };
    const Cover cover(it, [&, dense](const Cover& self, std::uint64_t length, bool for_keys,
                                     std::unique_ptr<Bits>& bare) {
      const std::uint64_t count = dense ? it.length() : same_slots(it, length);
      const VisibleSlots visible(it, count, for_keys);
      if (!visible) return false;
      const bool selection = for_keys && !dense;
      if (visible.seen().all() && !selection) return true;
      if (!slots.ids_known || (dense && !slots.offsets_known)) return false;
      if (!it.body->budget().examine(length / 8 + count)) return self.refuse();
      auto made = std::make_unique<Bits>(length);
      visible.seen().each_hidden(count, [&](std::uint64_t slot) {
        if (!dense) made->clear(slot, slot + 1);
        // Null slots are not examined; they may contain anything.
        if (dense && selects(slot)) made->clear(offset(slot), offset(slot) + 1);
      });
      visible.seen().each(count, [&](std::uint64_t slot) {
        if (dense && selects(slot)) made->set(offset(slot));
        if (selection && !selects(slot)) made->clear(slot, slot + 1);
      });
      bare = std::move(made);
      return true;
    });
    child(it, i, cover);
  }
}

void Arrays::dictionary(Array& it) {
  const bool possible = it.node.length >= 0;
  load_first(it, parts_if(possible));
  if (!possible || !(judge_slots(it, notes_) || it.first.unexamined())) return;
  on_keys_(read_keys(it, notes_));
  if (!limits_values(it.field) || unwanted_) return;
  if (const Unwanted* unwanted = unwanted_of_(it.field)) judge_used_values(it, *unwanted, notes_);
}

std::vector<Loaded> Arrays::load_data_buffers(Array& it, unsigned number, Want want) {
  std::vector<Loaded> data;
  for (std::uint64_t more = batch_.of_views(view_++, 1); more > 0; --more)
    data.push_back(next_buffer(it, number++, want));
  return data;
}

void Arrays::view(Array& it, const MapSlots* keys) {
  const bool possible = it.node.length >= 0;
  load_first(it, keys ? all_if(possible) : parts_if(possible));
  const Want want = it.field.type.tag == TypeTag::kUtf8View ? Want::kText : Want::kAll;
  const std::vector<Loaded> data = load_data_buffers(
      it, it.number_of_first() + 1, possible && it.length() > 0 ? want : Want::kSize);
  const bool sound = possible && judge_views(it, data, notes_);
  if (possible && is_json(it)) judge_json_views(it, data, sound, notes_);
  it.readable = sound && it.first.bytes.size() == it.first.size;
  if (keys) judge_key_order(it, *keys, notes_, data);
}

namespace {

// Ranges of the slots of a child. Each element is visited once, however often ranges overlap.
class Ranges {
 public:
  void add(const Range& range) {
    if (range.first >= range.second) return;
    sorted_ &= all_.empty() || all_.back().first <= range.first;
    if (sorted_ && !all_.empty() && range.first <= all_.back().second)
      all_.back().second = std::max(all_.back().second, range.second);
    else
      all_.push_back(range);
  }
  template <class Visit>
  void each(Visit visit) {
    if (!sorted_) std::ranges::sort(all_);
    std::uint64_t done = 0;
    for (const auto& [begin, end] : all_) {
      if (end <= done) continue;
      visit(std::max(begin, done), end);
      done = end;
    }
  }

 private:
  std::vector<Range> all_{};
  bool sorted_ = true;
};

}  // namespace

void Arrays::list_view(Array& it) {
  const bool possible = it.node.length >= 0;
  load_first(it, all_if(possible));
  load_second(it, all_if(possible));
  const bool followed = possible && judge_list_view(it, batch_.node(node_).length, notes_);
  // Where a slot is broken, no element is hidden.
  const Cover cover(it, [&it, followed](const Cover& self, std::uint64_t length, bool keys,
                                        std::unique_ptr<Bits>& bare) {
    if (!followed) return !self.unexamined();
    const VisibleSlots visible(it, it.length(), keys);
    if (!visible) return false;
    if (visible.seen().all()) return true;
    if (!it.body->budget().examine(length / 8 + 2 * it.layout.width * it.length()))
      return self.refuse();
    const auto range = [&it](std::uint64_t i) {
      const auto at = [&](const Loaded& of) {
        return static_cast<std::uint64_t>(offset_at(of.bytes, i, it.layout.width, it.order));
      };
      return Range{at(it.first), at(it.first) + at(it.second)};
    };
    auto made = std::make_unique<Bits>(length);
    Ranges hidden, seen;
    visible.seen().each_hidden(it.length(), [&](std::uint64_t i) { hidden.add(range(i)); });
    visible.seen().each(it.length(), [&](std::uint64_t i) { seen.add(range(i)); });
    hidden.each([&](std::uint64_t begin, std::uint64_t end) { made->clear(begin, end); });
    seen.each([&](std::uint64_t begin, std::uint64_t end) { made->set(begin, end); });
    bare = std::move(made);
    return true;
  });
  child(it, 0, it.length() == 0 ? Cover() : cover);
}

void Arrays::run_ended(Array& it) {
  const std::vector<std::int64_t> lengths = child_lengths(it);
  Runs runs{.parent = it};
  const Cover none;
  const Field& field = it.field.children[0];
  const Path path = path_of(it.path, "child", 0, field);
  std::optional<Array> ends;
  if (it.field.slots_known) {
    judge_run_lengths(it, lengths[0], lengths[1], notes_);
    ends.emplace(started(field, field.array_layout(), path, none, Role::kRunEnds));
    const bool possible = ends->node.length >= 0;
    load_first(*ends, all_if(possible));
    const bool enough = possible && judge_slots(*ends, notes_);
    if (enough || ends->first.unexamined()) judge_run_ends(*ends, runs, notes_);
  } else {
    array(field, field.array_layout(), path, none, Role::kPlain, nullptr);
  }
  const Cover cover(it, [&it, &runs](const Cover& self, std::uint64_t length, bool keys,
                                     std::unique_ptr<Bits>& bare) {
    constexpr std::uint64_t kMostMasked = std::uint64_t{1} << 29;
    std::unique_ptr<Bits> slots;
    if (!it.cover || !it.cover->bare(0, keys, slots)) return !it.cover;
    if (!slots) return true;  // no parent hides any slot, whatever the length
    if (runs.unexamined) return self.refuse();
    if (!runs.known) return false;
    if (it.length() > kMostMasked || !it.body->budget().examine(length / 8 + it.length() / 8))
      return self.refuse();
    slots.reset();
    if (!it.cover->bare(it.length(), keys, slots)) return false;
    if (!slots) return true;
    auto made = std::make_unique<Bits>(length);
    std::uint64_t begin = 0;
    for (std::uint64_t run = 0; run < std::min(runs.used, length); ++run) {
      const std::uint64_t end =
          std::min(it.length(), static_cast<std::uint64_t>(run_end(*runs.ends, run)));
      if (!slots->any(begin, end)) made->clear(run, run + 1);
      begin = end;
    }
    bare = std::move(made);
    return true;
  });
  child(it, 1, cover, Role::kRunValues, nullptr, &runs);
}

void Arrays::newer(Array& it) {
  const TypeTag tag = it.field.type.tag;
  const std::string reason =
      std::format("{}: the contents of {} are not checked, a type that is newer than format 1.0",
                  it.path.text(), type_name(static_cast<unsigned>(tag)));
  // The clauses of the similar types.
  switch (it.layout.kind) {
    case ArrayLayout::Kind::kView: notes_.blocked("arrow-binary-offsets-in-data", reason); break;
    case ArrayLayout::Kind::kListView: notes_.blocked("arrow-list-offsets-in-child", reason); break;
    default: notes_.blocked("arrow-null-count-exact", reason);
  }
  if (tag == TypeTag::kUtf8View) notes_.blocked("arrow-utf8-values-valid", reason);
  std::uint64_t buffers = it.layout.data_buffers();
  if (it.layout.kind == ArrayLayout::Kind::kView) {
    const std::int64_t more =
        view_ < batch_.variadic.size() ? batch_.variadic.get<std::int64_t>(view_) : 0;
    ++view_;
    buffers = sum(buffers, static_cast<std::uint64_t>(std::max<std::int64_t>(0, more)));
  }
  for (std::uint64_t i = 0; i < buffers; ++i)
    next_buffer(it, it.number_of_first() + static_cast<unsigned>(i), Want::kSize);
  const Cover unknown(it, [](const Cover& self, std::uint64_t, bool, std::unique_ptr<Bits>&) {
    return self.refuse();
  });
  for (std::size_t i = 0; i < it.field.children.size(); ++i) child(it, i, unknown);
}

void array_rules(RuleList& list) { list.structure<kColumn>(); }

}  // namespace hepcheck::arrow
