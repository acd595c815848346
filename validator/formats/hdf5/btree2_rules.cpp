// The clauses on version 2 B-trees.
#include <format>
#include <string>

#include "validator/formats/hdf5/btree2.h"

namespace hepcheck::hdf5 {

namespace {

// --- The header ---------------------------------------------------------------------------------

void header_signature(const Tree2Header& it, Look& look) {
  look.looked();
  if (!it.region.begins("BTHD")) look.fail(0, "other bytes", "BTHD");
}

void header_checksum(const Tree2Header& it, Look& look) {
  look.looked();
  if (!it.sum.good())
    look.fail(it.sum.at, std::format("checksum {:08x}", it.sum.stored),
              std::format("{:08x}, that of the bytes before it", it.sum.computed));
}

void header_version(const Tree2Header& it, Look& look) {
  look.looked();
  if (it.version != 0) look.fail(4, std::format("version {}", it.version), "version 0");
}

// Which clauses are about the records of a tree depends on its use.
bool of_huge_objects(const Tree2Header& it) {
  return it.wanted.type >= Tree2Type::kHuge && it.wanted.type <= Tree2Type::kHugeDirectFiltered;
}

bool of_other_use(const Tree2Header& it) {
  return it.wanted.type == Tree2Type::kLinkOrder || it.wanted.type == Tree2Type::kAttributeOrder ||
         it.wanted.type == Tree2Type::kSharedMessages;
}

bool of_swmr(const Tree2Header& it) { return !of_huge_objects(it) && !of_other_use(it); }

template <bool (*kOfUse)(const Tree2Header&)>
void record_type(const Tree2Header& it, Look& look) {
  if (!kOfUse(it)) return;
  look.looked();
  const auto wanted = static_cast<unsigned>(it.wanted.type);
  if (it.type != wanted)
    look.fail(5, std::format("records of type {}", it.type), std::format("type {}", wanted));
}

void parameters_as_layout(const Tree2Header& it, Look& look) {
  if (!it.wanted.parameters) return;
  look.looked();
  const Tree2Wanted::Parameters stated{it.node_size, it.split, it.merge};
  const Tree2Wanted::Parameters& wanted = *it.wanted.parameters;
  if (stated != wanted)
    look.fail(stated.node_size != wanted.node_size ? 6
              : stated.split != wanted.split       ? 14
                                                   : 15,
              std::format("node size {}, split {}, merge {}", stated.node_size, stated.split,
                          stated.merge),
              std::format("{}, {} and {}, as in the layout", wanted.node_size, wanted.split,
                          wanted.merge));
}

template <bool (*kOfUse)(const Tree2Header&)>
void record_size(const Tree2Header& it, Look& look) {
  if (!kOfUse(it)) return;
  look.looked();
  if (it.record_size != it.wanted.record_size)
    look.fail(10, std::format("records of {} bytes", it.record_size),
              std::format("{} bytes", it.wanted.record_size));
}

void depth(const Tree2Header& it, Look& look) {
  constexpr unsigned kMost = 32;
  look.looked();
  if (it.depth > kMost) look.fail(12, std::format("depth {}", it.depth), "32 at most");
}

void node_size(const Tree2Header& it, Look& look) {
  look.looked();
  if (shape_of(it).levels.size() <= it.depth)
    look.fail(6,
              std::format("nodes of {} bytes, records of {}, depth {}", it.node_size,
                          it.record_size, it.depth),
              "nodes with capacity for a record at each depth");
}

void root_defined(const Tree2Header& it, Look& look) {
  if (it.total == 0 && it.root_records == 0 && it.depth == 0) return;
  look.looked();
  if (it.root == kUndefined)
    look.fail(16, std::format("an undefined root of {} records", it.total), "an address");
}

void empty_root_undefined(const Tree2Header& it, Look& look) {
  if (it.total != 0 || it.root_records != 0 || it.depth != 0) return;
  look.looked();
  if (it.root != kUndefined)
    look.fail(16, std::format("root address {} of a tree without records", it.root),
              "an undefined address");
}

void percentages(const Tree2Header& it, Look& look) {
  look.looked();
  if (it.split == 0 || it.split > 100)
    look.fail(14, std::format("split {}", it.split), "1 to 100");
  else if (it.merge == 0 || 2 * it.merge >= it.split)
    look.fail(15, std::format("merge {} with split {}", it.merge, it.split),
              "above 0 and below half the split");
}

constexpr Rule<Tree2Header> kTree2HeaderRules[] = {
    {"swmr-btree2-header-signature", header_signature},
    {"swmr-btree2-header-checksum", header_checksum},
    {"swmr-btree2-header-version", header_version},
    {"swmr-btree2-record-type", record_type<of_swmr>},
    {"h5-btree2-type-of-use", record_type<of_other_use>},
    {"h5-fractal-heap-huge-btree-type", record_type<of_huge_objects>},
    {"swmr-btree2-parameters-as-layout", parameters_as_layout},
    {"swmr-btree2-record-size", record_size<of_swmr>},
    {"h5-btree2-size-of-use", record_size<of_other_use>},
    {"h5-fractal-heap-huge-btree-record-size", record_size<of_huge_objects>},
    {"swmr-btree2-depth", depth},
    {"swmr-btree2-node-size", node_size},
    {"swmr-btree2-root-defined", root_defined},
    {"swmr-btree2-empty-root-undefined", empty_root_undefined},
    {"swmr-btree2-percentages", percentages},
};

// --- Nodes --------------------------------------------------------------------------------------

void child_defined(const Tree2Pointer& it, Look& look) {
  if (it.root) return;
  look.looked();
  if (it.address == kUndefined) look.fail(0, "an undefined child", "the address of a node");
}

void node_capacity(const Tree2Pointer& it, Look& look) {
  look.looked();
  if (it.records > it.most)
    look.fail(0, std::format("{} records in a node at depth {}", it.records, it.depth),
              std::format("{} at most, the capacity", it.most));
}

void node_once(const Tree2Pointer& it, Look& look) {
  look.looked();
  if (it.again)
    look.fail(0, std::format("a second path to the node at address {}", it.address), "one");
}

constexpr Rule<Tree2Pointer> kPointerRules[] = {
    {"swmr-btree2-child-defined", child_defined},
    {"swmr-btree2-node-capacity", node_capacity},
    {"swmr-btree2-node-once", node_once},
};

void node_signature(const Tree2Node& it, Look& look) {
  look.looked();
  const std::string_view wanted = it.leaf ? "BTLF" : "BTIN";
  if (!it.region.begins(wanted))
    look.fail(
        0, it.region.begins(it.leaf ? "BTIN" : "BTLF") ? it.leaf ? "BTIN" : "BTLF" : "other bytes",
        std::string(wanted));
}

void node_version(const Tree2Node& it, Look& look) {
  look.looked();
  if (it.version != 0) look.fail(4, std::format("version {}", it.version), "version 0");
}

void node_type(const Tree2Node& it, Look& look) {
  look.looked();
  if (it.type != it.type_wanted)
    look.fail(5, std::format("records of type {}", it.type),
              std::format("{}, as in the header", it.type_wanted));
}

constexpr Rule<Tree2Node> kTree2NodeRules[] = {
    {"swmr-btree2-node-signature", node_signature},
};
// These are judged after the checksum, which says more about a damaged node.
constexpr Rule<Tree2Node> kCheckedNodeRules[] = {
    {"swmr-btree2-node-version", node_version},
    {"swmr-btree2-node-type", node_type},
};

constexpr Rule kSumRule("swmr-btree2-node-checksum", [](const Tree2Sum& it, Look& look) {
  look.looked();
  if (!it.sum.good() && !it.for_others)
    look.fail(it.sum.at, std::format("checksum {:08x}", it.sum.stored),
              std::format("{:08x}, that of the bytes before it", it.sum.computed));
});

template <bool kRoot>
void records(const Tree2Sum& it, Look& look) {
  if (it.root != kRoot) return;
  look.looked();
  if (it.for_others)
    look.fail(0, std::format("{} records", it.records),
              std::format("{}, for which the checksum of the node holds", *it.for_others));
}

constexpr Rule<Tree2Sum> kCountRules[] = {
    {"swmr-btree2-root-records", records<true>},
    {"swmr-btree2-child-records", records<false>},
};

template <bool kAll>
void total(const Tree2Total& it, Look& look) {
  if (it.all != kAll) return;
  look.looked();
  if (it.stated != it.found)
    look.fail(0, std::format("{} records in all", it.stated),
              std::format("{}, as found", it.found));
}

constexpr Rule<Tree2Total> kTree2TotalRules[] = {
    {"swmr-btree2-total-records", total<true>},
    {"swmr-btree2-child-total", total<false>},
};

}  // namespace

void btree2_rules(RuleList& list) {
  list.structure<kTree2HeaderRules, kPointerRules, kTree2NodeRules, kCheckedNodeRules, kSumRule,
                 kCountRules, kTree2TotalRules>();
}

bool holds(const Tree2Header& header, const Place& at, Notes& notes) {
  return judge<kTree2HeaderRules>(header, at, notes);
}
bool holds(const Tree2Pointer& pointer, const Place& at, Notes& notes) {
  return judge<kPointerRules>(pointer, at, notes);
}
bool holds(const Tree2Node& node, const Place& at, Notes& notes) {
  return judge<kTree2NodeRules>(node, at, notes);
}
bool holds_behind(const Tree2Node& node, const Place& at, Notes& notes) {
  return judge<kCheckedNodeRules>(node, at, notes);
}
bool holds(const Tree2Sum& sum, const Place& at, const Place& pointer, Notes& notes) {
  return judge<kSumRule>(sum, at, notes) && judge<kCountRules>(sum, pointer, notes);
}
bool holds(const Tree2Total& total, const Place& at, Notes& notes) {
  return judge<kTree2TotalRules>(total, at, notes);
}

Tree2Shape shape_of(const Tree2Header& header) {
  constexpr std::uint64_t kOverhead = 10;  // signature, version, type, checksum
  Tree2Shape shape;
  if (header.record_size == 0 || header.node_size < kOverhead) return shape;
  const std::uint64_t room = header.node_size - kOverhead;
  Tree2Shape::Level level{.most = room / header.record_size};
  level.cumulative = level.most;
  shape.count_width = bytes_for(level.most);
  for (unsigned depth = 0; depth <= header.depth && level.most > 0; ++depth) {
    shape.levels.push_back(level);
    const std::uint64_t below = level.cumulative;
    level.total_width = depth > 0 ? bytes_for(below) : 0;
    level.pointer = header.offset_size + shape.count_width + level.total_width;
    level.most =
        room > level.pointer ? (room - level.pointer) / (header.record_size + level.pointer) : 0;
    level.cumulative = sum(product(level.most + 1, below), level.most);
  }
  return shape;
}

}  // namespace hepcheck::hdf5
