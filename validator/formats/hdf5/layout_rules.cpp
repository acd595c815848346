// The clauses on data layouts, by themselves and for their datasets.
#include <algorithm>
#include <format>
#include <ranges>

#include "validator/formats/hdf5/layout.h"
#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

struct LayoutOf : LayoutContext {
  const DataLayout& layout;

  bool chunked() const { return layout.chunked(); }
  // It states the type of its index, and has flags.
  bool indexed() const { return chunked() && layout.version > 3; }
  bool is(IndexType type) const { return indexed() && layout.index() == type; }
  std::uint64_t value_bytes() const { return product(space.elements(), type_size); }
  // It is for a single chunk, and states whether there are filters.
  bool flag_fits() const {
    return !is(IndexType::kSingle) ||
           ((layout.flags & DataLayout::kSingleFiltered) != 0) == filtered;
  }
};

void version(const LayoutOf& it, Look& look) {
  look.looked();
  if (it.layout.version < 1 || it.layout.version > 5)
    look.fail(0, std::format("version {}", it.layout.version), "version 1 to 5");
}

void layout_class(const LayoutOf& it, Look& look) {
  look.looked();
  const unsigned last = it.layout.version > 3 ? 3 : 2;
  if (it.layout.class_byte > last)
    look.fail(it.layout.version < 3 ? 2 : 1,
              std::format("class {} in version {}", it.layout.class_byte, it.layout.version),
              std::format("0 to {}", last));
}

void flags(const LayoutOf& it, Look& look) {
  if (!it.indexed()) return;
  look.looked();
  if ((it.layout.flags & 0xfc) != 0)
    look.fail(2, std::format("flags {:#04x}", it.layout.flags), "bits 2 to 7 clear");
}

void dimension_width(const LayoutOf& it, Look& look) {
  if (!it.indexed()) return;
  look.looked();
  if (it.layout.width < 1 || it.layout.width > 8)
    look.fail(4, std::format("chunk sizes of {} bytes", it.layout.width), "1 to 8");
}

// Excess dimensions are covered by the clause on the rank.
bool too_many(const DataLayout& layout) { return layout.dimensionality > kMostDimensions + 1; }

void fits(const LayoutOf& it, Look& look) {
  // A wrong flag refers to missing fields, and has its own finding.
  if (too_many(it.layout) || !it.flag_fits()) return;
  look.looked();
  if (!it.layout.whole)
    look.fail(0, "the message ends before its last field", "a message that holds its layout");
}

void rank(const LayoutOf& it, Look& look) {
  const bool old = it.layout.version < 3;
  if (!it.chunked() && !old) return;
  look.looked();
  const unsigned dimensionality = it.layout.dimensionality;
  if (it.chunked() ? dimensionality != it.space.rank + 1U || it.space.rank == 0
                   : dimensionality < 1 || too_many(it.layout))
    look.fail(old                      ? 1
              : it.layout.version == 3 ? 2
                                       : 3,
              std::format("dimensionality {} for {} dimensions", dimensionality, it.space.rank),
              it.chunked() ? "one more than the dataset has, which has one or more" : "1 to 33");
}

void chunk_positive(const LayoutOf& it, Look& look) {
  if (!it.chunked()) return;
  look.looked();
  for (unsigned d = 0; d < it.layout.dimensionality; ++d)
    if (it.layout.chunk[d] == 0)
      return look.fail(0, std::format("chunk size 0 in dimension {}", d), "a size above 0");
}

// The size of a datatype that is at fault is not compared with anything.
void element_size(const LayoutOf& it, Look& look) {
  if (!it.chunked() || !it.type_sound) return;
  look.looked();
  const std::uint64_t stated = it.layout.chunk[it.layout.dimensionality - 1U];
  if (stated != it.type_size)
    look.fail(0, std::format("elements of {} bytes", stated),
              std::format("{}, the size of the datatype", it.type_size));
}

void chunk_bytes(const LayoutOf& it, Look& look) {
  if (!it.chunked()) return;
  look.looked();
  if (it.layout.chunk_bytes() >= std::uint64_t{1} << 32)
    look.fail(0, "a chunk of 4 GiB or more", "less than 4 GiB");
}

void index_type(const LayoutOf& it, Look& look) {
  if (!it.indexed()) return;
  look.looked();
  if (it.layout.index_byte < 1 || it.layout.index_byte > 5)
    look.fail(5 + std::uint64_t{it.layout.dimensionality} * it.layout.width,
              std::format("index type {}", it.layout.index_byte), "1 to 5");
}

void index_parameters(const LayoutOf& it, Look& look) {
  const DataLayout& layout = it.layout;
  const auto bad = [&](std::string_view name, std::uint64_t value, std::string_view wanted) {
    look.fail(6 + std::uint64_t{layout.dimensionality} * layout.width,
              std::format("{} {}", name, value), std::string(wanted));
  };
  const auto positive = [&](std::string_view name, std::uint64_t value) {
    if (value == 0) bad(name, value, "a number above 0");
  };
  const auto percentage = [&](std::string_view name, std::uint8_t value) {
    if (value == 0 || value > 100) bad(name, value, "1 to 100");
  };
  if (it.is(IndexType::kFixedArray)) {
    look.looked();
    positive("page bits", layout.page_bits);
  } else if (it.is(IndexType::kExtensibleArray)) {
    look.looked();
    positive("max bits", layout.max_bits);
    positive("index elements", layout.index_elements);
    positive("min pointers", layout.min_pointers);
    positive("min elements", layout.min_elements);
    positive("page bits", layout.page_bits);
  } else if (it.is(IndexType::kTree2)) {
    look.looked();
    positive("node size", layout.node_size);
    percentage("split", layout.split);
    percentage("merge", layout.merge);
  }
}

void compact_size(const LayoutOf& it, Look& look) {
  if (it.layout.layout_class() != LayoutClass::kCompact || !it.type_sound) return;
  look.looked();
  if (it.layout.size != it.value_bytes())
    look.fail(2, std::format("{} bytes of values", it.layout.size),
              std::format("{}, as dataspace and datatype require", it.value_bytes()));
}

bool stored_contiguously(const LayoutOf& it) {
  return it.layout.layout_class() == LayoutClass::kContiguous && it.layout.address != kUndefined;
}

// Old versions state no size.
std::uint64_t stored_bytes(const LayoutOf& it) {
  return it.layout.version < 3 ? it.value_bytes() : it.layout.size;
}

bool too_small(const LayoutOf& it) { return it.type_sound && stored_bytes(it) < it.value_bytes(); }

void contiguous_size(const LayoutOf& it, Look& look) {
  if (!stored_contiguously(it) || !it.type_sound) return;
  look.looked();
  if (too_small(it))
    look.fail(0, std::format("{} bytes of values", stored_bytes(it)),
              std::format("{} or more, as dataspace and datatype require", it.value_bytes()));
}

// Storage that is too small has its own clause.
void contiguous_inside_file(const LayoutOf& it, Look& look) {
  if (!stored_contiguously(it) || too_small(it)) return;
  const std::uint64_t size = stored_bytes(it);
  const bool inside = it.file.inside(it.layout.address, size);
  if (!inside && it.file.spread_unknown) return;
  look.looked();
  if (!inside)
    look.fail(0, std::format("{} bytes of values at address {}", size, it.layout.address),
              std::format("values that end by {}, the end of the file", it.file.end));
}

void single_dimensions(const LayoutOf& it, Look& look) {
  if (!it.is(IndexType::kSingle)) return;
  look.looked();
  if (!std::ranges::equal(it.layout.chunk_sizes(), it.space.maximum()))
    look.fail(0, "a single chunk of another size than the maximum",
              "a chunk of the maximum size of the dataset");
}

void single_filter_flag(const LayoutOf& it, Look& look) {
  if (!it.is(IndexType::kSingle)) return;
  look.looked();
  if (!it.flag_fits())
    look.fail(2,
              std::format("flags {:#04x} of a dataset with{} filters", it.layout.flags,
                          it.filtered ? "" : "out"),
              "bit 1 set exactly if there are filters");
}

void implicit_no_unlimited(const LayoutOf& it, Look& look) {
  if (!it.is(IndexType::kImplicit)) return;
  look.looked();
  if (it.space.unlimited() > 0)
    look.fail(0,
              std::format("an implicit index with {} unlimited dimensions", it.space.unlimited()),
              "none");
}

void implicit_no_filters(const LayoutOf& it, Look& look) {
  if (!it.is(IndexType::kImplicit)) return;
  look.looked();
  if (it.filtered) look.fail(0, "an implicit index of filtered chunks", "no filters");
}

void extensible_one_unlimited(const LayoutOf& it, Look& look) {
  if (!it.is(IndexType::kExtensibleArray)) return;
  look.looked();
  if (it.space.unlimited() != 1)
    look.fail(0,
              std::format("an extensible array with {} unlimited dimensions", it.space.unlimited()),
              "one");
}

void fixed_no_unlimited(const LayoutOf& it, Look& look) {
  if (!it.is(IndexType::kFixedArray)) return;
  look.looked();
  if (it.space.unlimited() > 0)
    look.fail(0, std::format("a fixed array with {} unlimited dimensions", it.space.unlimited()),
              "none");
}

void tree2_many_unlimited(const LayoutOf& it, Look& look) {
  if (!it.is(IndexType::kTree2)) return;
  look.looked();
  if (it.space.unlimited() < 2)
    look.fail(0,
              std::format("a version 2 B-tree with {} unlimited dimensions", it.space.unlimited()),
              "two or more");
}

void implicit_early(const LayoutOf& it, Look& look) {
  if (!it.is(IndexType::kImplicit)) return;
  look.looked();
  if (!it.early)
    look.fail(0, "an implicit index of a dataset whose space is not allocated early",
              "early allocation in the fill value message");
}

void dimension_width_least(const LayoutOf& it, Look& look) {
  if (!it.indexed()) return;
  look.looked();
  const auto sizes = std::span(it.layout.chunk).first(it.layout.dimensionality);
  const unsigned least = bytes_for(std::ranges::max(sizes));
  if (it.layout.width != least)
    look.fail(4, std::format("chunk sizes of {} bytes", it.layout.width),
              std::format("{}, the least that holds them", least),
              "HDF5 2.x refuses to open such a dataset.");
}

void chunk_within_maximum(const LayoutOf& it, Look& look) {
  if (!it.chunked() || std::ranges::contains(it.space.size(), 0U)) return;
  look.looked();
  for (unsigned d = 0; d < it.space.rank; ++d)
    if (it.layout.chunk[d] > it.space.maxima[d])
      return look.fail(0,
                       std::format("chunk size {} in dimension {}, with the maximum {}",
                                   it.layout.chunk[d], d, it.space.maxima[d]),
                       "a chunk not larger than the maximum size of the dataset");
}

constexpr Rule<LayoutOf> kLayoutRulesRules[] = {
    {"swmr-layout-version", version},
    {"swmr-layout-class", layout_class},
    {"swmr-layout-flags", flags},
    {"swmr-layout-dimension-width", dimension_width},
    {"swmr-layout-fits", fits},
    {"swmr-layout-rank", rank},
    {"swmr-layout-chunk-positive", chunk_positive},
    {"swmr-layout-element-size", element_size},
    {"swmr-layout-chunk-bytes", chunk_bytes},
    {"swmr-layout-index-type", index_type},
    {"swmr-layout-index-parameters", index_parameters},
    {"swmr-compact-size", compact_size},
    {"swmr-contiguous-size", contiguous_size},
    {"swmr-contiguous-inside-file", contiguous_inside_file},
    {"swmr-single-dimensions", single_dimensions},
    {"swmr-single-filter-flag", single_filter_flag},
    {"swmr-implicit-no-unlimited", implicit_no_unlimited},
    {"swmr-implicit-no-filters", implicit_no_filters},
    {"swmr-index-extensible-one-unlimited", extensible_one_unlimited},
    {"swmr-index-fixed-no-unlimited", fixed_no_unlimited},
    {"swmr-index-btree2-many-unlimited", tree2_many_unlimited},
    {"swmr-implicit-early", implicit_early},
    {"swmr-layout-dimension-width-least", dimension_width_least},
    {"swmr-layout-chunk-within-maximum", chunk_within_maximum},
};

// --- The form of a sound layout -----------------------------------------------------------------

void layout_reserved(const LayoutOf& it, Look& look) {
  if (it.layout.version > 2) return;
  look.looked();
  if (it.layout.reserved) look.fail(3, "reserved bytes that are not zero", "zeros");
}

void old_dimensions(const LayoutOf& it, Look& look) {
  if (it.layout.version > 2 || it.chunked()) return;
  look.looked();
  if (it.layout.dimensionality < it.space.rank)
    return look.fail(1, std::format("{} sizes", it.layout.dimensionality),
                     std::format("those of {} dimensions", it.space.rank));
  for (unsigned d = 0; d < it.space.rank; ++d)
    if (it.layout.chunk[d] != (it.space.sizes[d] & 0xffffffff))
      return look.fail(8, std::format("size {} of dimension {}", it.layout.chunk[d], d),
                       std::format("{}, as in the dataspace", it.space.sizes[d]));
}

void edge_flag(const LayoutOf& it, Look& look) {
  if (!it.indexed()) return;
  look.looked();
  if ((it.layout.flags & DataLayout::kEdgeChunksUnfiltered) != 0 && !it.filtered)
    look.fail(2, "edge chunks that are not filtered, without filters", "bit 0 only with filters");
}

void fixed_extendable(const LayoutOf& it, Look& look) {
  const LayoutClass stored = it.layout.layout_class();
  if (it.external) return;
  if (stored != LayoutClass::kCompact && stored != LayoutClass::kContiguous) return;
  look.looked();
  if (it.space.can_grow())
    look.fail(0, std::format("{} storage of a dataset that can grow", to_string(stored)),
              "chunks, or the maximum as the size");
}

bool contiguous_with_size(const LayoutOf& it) {
  return it.layout.layout_class() == LayoutClass::kContiguous && it.layout.version > 2 &&
         it.value_bytes() != kUndefined;
}

// Another size may be that of another datatype, or of the greatest extent.
void size_exact(const LayoutOf& it, Look& look) {
  if (!contiguous_with_size(it) || it.layout.address == kUndefined) return;
  if (!it.type_sound || it.space.can_grow()) return;
  look.looked();
  if (it.layout.size != it.value_bytes())
    look.fail(0, std::format("{} bytes of values", it.layout.size),
              std::format("{}, as dataspace and datatype require", it.value_bytes()));
}

void size_unallocated(const LayoutOf& it, Look& look) {
  if (!contiguous_with_size(it) || it.layout.address != kUndefined || !it.type_sound) return;
  look.looked();
  if (it.layout.size != 0 && it.layout.size != it.value_bytes())
    look.fail(0, std::format("{} bytes of values that are not allocated", it.layout.size),
              std::format("0, or {}", it.value_bytes()));
}

void early_contiguous(const LayoutOf& it, Look& look) {
  if (it.layout.layout_class() != LayoutClass::kContiguous || !it.early || it.external) return;
  look.looked();
  if (it.layout.address == kUndefined && it.space.elements() > 0)
    look.fail(0, "no storage of a dataset whose space is allocated early", "an address");
}

constexpr Rule<LayoutOf> kLayoutFormRules[] = {
    {"h5-layout-reserved", layout_reserved},   {"h5-layout-old-dimensions", old_dimensions},
    {"h5-layout-edge-flag", edge_flag},        {"h5-layout-fixed-extendable", fixed_extendable},
    {"h5-contiguous-size-exact", size_exact},  {"h5-contiguous-size-unallocated", size_unallocated},
    {"h5-early-contiguous", early_contiguous},
};

}  // namespace

void layout_rules(RuleList& list) { list.structure<kLayoutRulesRules, kLayoutFormRules>(); }

std::optional<DataLayout> read_layout(const Region& message, const LayoutContext& context,
                                      Container& file) {
  const DataLayout made = parse_layout(message, file);
  if (!judge<kLayoutRulesRules>(LayoutOf{context, made}, message.place, file.notes))
    return std::nullopt;
  judge_each<kLayoutFormRules>(LayoutOf{context, made}, message.place, file.notes);
  return made;
}

}  // namespace hepcheck::hdf5
