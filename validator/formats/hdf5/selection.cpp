#include "validator/formats/hdf5/selection.h"

#include <algorithm>
#include <format>

#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

constexpr unsigned kMostRank = 32;

// A dimension of a regular hyperslab.
struct SelectedDimension {
  std::uint64_t start, stride, count, block;

  bool unlimited() const { return count == kUndefined || block == kUndefined; }
  // The greatest coordinate; kUndefined if it is too large, or has no limit.
  std::uint64_t last() const {
    if (unlimited()) return kUndefined;
    return sum(start, sum(product(count - 1, stride), block - 1));
  }
};

// The fields of a selection, as far as they exist.
struct SelectionFields {
  std::uint32_t type = 0, version = 0;
  std::uint64_t reserved = 0;
  std::uint8_t flags = 0, width = 4;
  std::uint32_t stated_length = 0, rank = 0;
  std::optional<unsigned> rank_wanted{};
  std::uint64_t count = 0;  // points or blocks
  bool head = false;        // everything before the coordinates exists
  std::uint64_t length_at = 0, rank_at = 0, numbers_at = 0;
  std::uint64_t needed = 0, there = 0;  // bytes
  std::vector<SelectedDimension> dimensions{};
  std::optional<std::uint64_t>
      backward{};  // a block of an irregular one that ends before its start

  bool points() const { return type == 1; }
  bool hyperslabs() const { return type == 2; }
  bool listed() const { return points() || hyperslabs(); }
  bool has_flags() const { return hyperslabs() && version >= 2; }
  bool has_width() const { return (points() && version == 2) || (hyperslabs() && version == 3); }
  bool has_length() const { return hyperslabs() ? version < 3 : points() && version == 1; }
  bool width_known() const { return width == 2 || width == 4 || width == 8; }
  bool flags_known() const { return !has_flags() || (version == 2 ? flags == 1 : flags <= 1); }
  bool regular() const { return has_flags() && (flags & 1) != 0; }
};

void selection_type(const SelectionFields& it, Look& look) {
  look.looked();
  if (it.type > 3)
    look.fail(0, std::format("type {}", it.type), "0 none, 1 points, 2 hyperslabs or 3 all");
}

void selection_version(const SelectionFields& it, Look& look) {
  look.looked();
  const unsigned most = it.points() ? 2 : it.hyperslabs() ? 3 : 1;
  if (it.version < 1 || it.version > most)
    look.fail(4, std::format("version {} of type {}", it.version, it.type),
              most == 1 ? std::string("version 1") : std::format("version 1 to {}", most));
}

void selection_fits(const SelectionFields& it, Look& look) {
  look.looked();
  if (!it.head) return look.fail(0, std::format("{} bytes", it.there), "a whole selection");
  if (!it.width_known() || !it.flags_known()) return;
  if (it.needed > it.there)
    look.fail(it.numbers_at,
              it.regular() ? std::format("a rank of {}", it.rank)
                           : std::format("{} {} of rank {}", it.count,
                                         it.points() ? "points" : "blocks", it.rank),
              std::format("a selection that ends inside its {} bytes", it.there));
}

void selection_rank(const SelectionFields& it, Look& look) {
  if (!it.listed()) return;
  look.looked();
  if (it.rank == 0 || it.rank > kMostRank)
    look.fail(it.rank_at, std::format("rank {}", it.rank), "1 to 32");
  else if (it.rank_wanted && it.rank != *it.rank_wanted)
    look.fail(it.rank_at, std::format("rank {}", it.rank),
              std::format("{}, that of the dataspace", *it.rank_wanted));
}

void selection_encode_size(const SelectionFields& it, Look& look) {
  if (!it.has_width()) return;
  look.looked();
  if (!it.width_known())
    look.fail(it.hyperslabs() ? 9 : 8, std::format("numbers of {} bytes", it.width), "2, 4 or 8");
}

void selection_flags(const SelectionFields& it, Look& look) {
  if (!it.has_flags()) return;
  look.looked();
  if (!it.flags_known())
    look.fail(8, std::format("flags {:#04x}", it.flags), it.version == 2 ? "1" : "0 or 1");
}

void selection_regular(const SelectionFields& it, Look& look) {
  if (!it.regular()) return;
  look.looked();
  for (const SelectedDimension& d : it.dimensions) {
    const bool both = d.count == kUndefined && d.block == kUndefined;
    const bool positive = d.count > 0 && d.block > 0 && d.stride > 0;
    if (positive && !both && (d.count == 1 || d.stride >= d.block) &&
        (d.unlimited() || d.last() != kUndefined))
      continue;
    return look.fail(
        it.numbers_at,
        std::format("start {}, stride {}, count {}, block {}", d.start, d.stride, d.count, d.block),
        "blocks that do not overlap, of coordinates below 2^64");
  }
}

void selection_one_unlimited(const SelectionFields& it, Look& look) {
  if (!it.regular()) return;
  look.looked();
  const auto count = std::ranges::count_if(it.dimensions, &SelectedDimension::unlimited);
  if (count > 1)
    look.fail(it.numbers_at, std::format("{} unlimited dimensions", count), "one at most");
}

void selection_block_order(const SelectionFields& it, Look& look) {
  if (!it.hyperslabs() || it.regular()) return;
  look.looked();
  if (it.backward)
    look.fail(it.numbers_at, std::format("block {} ends before its start", *it.backward),
              "an end that is not below the start");
}

constexpr Rule<SelectionFields> kSelectionRules[] = {
    {"h5-selection-type", selection_type},
    {"h5-selection-version", selection_version},
    {"h5-selection-fits", selection_fits},
    {"h5-selection-rank", selection_rank},
    {"h5-selection-encode-size", selection_encode_size},
    {"h5-selection-flags", selection_flags},
    {"h5-selection-regular", selection_regular},
    {"h5-selection-one-unlimited", selection_one_unlimited},
    {"h5-selection-block-order", selection_block_order},
};

void selection_length(const SelectionForm& it, Look& look) {
  if (!it.stated_length) return;
  look.looked();
  if (*it.stated_length != it.real_length)
    look.fail(it.length_at, std::format("a length of {} bytes", *it.stated_length),
              std::format("{}", it.real_length));
}

void selection_reserved(const SelectionForm& it, Look& look) {
  if (!it.reserved) return;
  look.looked();
  if (*it.reserved != 0) look.fail(8, std::format("{:#x} in a reserved field", *it.reserved), "0");
}

constexpr Rule<SelectionForm> kSelectionFormRules[] = {
    {"h5-selection-length", selection_length},
    {"h5-selection-reserved", selection_reserved},
};

// Everything before the coordinates.
SelectionFields parse_selection_head(Cursor& read) {
  SelectionFields made{.type = read.u32("type"), .version = read.u32("version")};
  if (!made.listed()) {
    made.reserved = read.u64("reserved");
  } else {
    if (made.has_flags()) made.flags = read.u8("flags");
    if (made.has_width()) made.width = read.u8("width");
    if (made.version == 1) made.reserved = read.u32("reserved");
    made.length_at = read.at();
    if (made.has_length()) made.stated_length = read.u32("stated length");
    if (made.hyperslabs() && made.version == 2) made.width = 8;
    made.rank_at = read.at();
    made.rank = read.u32("rank");
    made.numbers_at = read.at();
    if (!made.regular() && made.width_known()) made.count = read.number(made.width, "count");
  }
  made.head = read.good();
  return made;
}

// The bytes of the coordinates; kUndefined if there are too many.
std::uint64_t bytes_of_numbers(const SelectionFields& it) {
  if (!it.listed()) return 0;
  const std::uint64_t row = product(it.rank, it.width);
  return it.regular() ? product(row, 4) : product(it.count, it.points() ? row : product(row, 2));
}

void parse_dimensions(Cursor& read, SelectionFields& into, Selection& selection) {
  selection.elements = 1;
  for (unsigned i = 0; i < into.rank; ++i) {
    SelectedDimension d{.start = read.number(into.width, "start"),
                        .stride = read.number(into.width, "stride"),
                        .count = read.number_or_undefined(into.width, "count"),
                        .block = read.number_or_undefined(into.width, "block")};
    selection.least.push_back(d.start);
    selection.greatest.push_back(d.last());
    selection.unlimited |= d.unlimited();
    selection.elements = product(selection.elements, product(d.count, d.block));
    into.dimensions.push_back(d);
  }
}

// Points, or blocks given by two corners.
void parse_coordinates(Cursor& read, SelectionFields& into, Selection& selection) {
  if (into.count == 0) return;
  std::vector<std::uint64_t> first(into.rank), last(into.rank);
  selection.least.assign(into.rank, kUndefined);
  selection.greatest.assign(into.rank, 0);
  for (std::uint64_t i = 0; i < into.count; ++i) {
    for (std::uint64_t& each : first) each = read.number(into.width, "coordinate");
    last = first;
    if (into.hyperslabs())
      for (std::uint64_t& each : last) each = read.number(into.width, "coordinate");
    std::uint64_t inside = 1;
    for (unsigned d = 0; d < into.rank; ++d) {
      if (last[d] < first[d] && !into.backward) into.backward = i;
      inside = product(inside, last[d] < first[d] ? 0 : sum(last[d] - first[d], 1));
      selection.least[d] = std::min(selection.least[d], first[d]);
      selection.greatest[d] = std::max(selection.greatest[d], last[d]);
    }
    selection.elements = sum(selection.elements, inside);
  }
}

}  // namespace

void selection_rules(RuleList& list) { list.structure<kSelectionRules, kSelectionFormRules>(); }

std::optional<Selection> read_selection(const Region& bytes, std::optional<unsigned> rank,
                                        Container& file) {
  Cursor read(bytes);
  SelectionFields fields = parse_selection_head(read);
  fields.rank_wanted = rank;
  fields.there = bytes.size();
  fields.needed = sum(read.at(), bytes_of_numbers(fields));
  Selection made{.type = static_cast<Selection::Type>(fields.type & 3U)};
  // Without a dimension, any number of points or blocks takes no bytes.
  const bool sized = fields.head && fields.width_known() && fields.flags_known() &&
                     fields.needed <= fields.there && fields.rank <= kMostRank &&
                     (fields.rank > 0 || !fields.listed());
  if (sized) {
    if (!file.charge(fields.needed)) return std::nullopt;
    made.rank = fields.rank;
    made.size = fields.needed;
    if (fields.regular())
      parse_dimensions(read, fields, made);
    else if (fields.listed())
      parse_coordinates(read, fields, made);
  }
  if (!judge<kSelectionRules>(fields, bytes.place, file.notes)) return std::nullopt;
  made.form.at = bytes.place;
  if (fields.has_length()) {
    made.form.stated_length = fields.stated_length;
    made.form.real_length = fields.needed - fields.rank_at;
    made.form.length_at = fields.length_at;
  }
  if (!fields.listed() || fields.version == 1) made.form.reserved = fields.reserved;
  return made;
}

void judge_form(const Selection& selection, Container& file) {
  judge_each<kSelectionFormRules>(selection.form, selection.form.at, file.notes);
}

}  // namespace hepcheck::hdf5
