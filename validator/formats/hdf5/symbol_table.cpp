#include "validator/formats/hdf5/symbol_table.h"

#include <algorithm>
#include <format>
#include <span>
#include <string>

#include "validator/formats/hdf5/addresses.h"
#include "validator/formats/hdf5/btree1.h"
#include "validator/formats/hdf5/names.h"
#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

constexpr std::uint64_t kScratch = 16;
constexpr std::uint32_t kCachedSoftLink = 2;  // cache type

// --- What is judged -----------------------------------------------------------------------------

struct SymbolNode {
  Region region;
  unsigned most;
  std::uint8_t version = 0;
  std::uint16_t count = 0;
};

void node_signature(const SymbolNode& it, Look& look) {
  look.looked();
  if (!it.region.begins("SNOD")) look.fail(0, "other bytes", "SNOD");
}

void node_version(const SymbolNode& it, Look& look) {
  look.looked();
  if (it.version != 1) look.fail(4, std::format("version {}", it.version), "version 1");
}

void node_count(const SymbolNode& it, Look& look) {
  look.looked();
  if (it.count > it.most)
    look.fail(6, std::format("{} entries", it.count),
              std::format("{} at most, the capacity", it.most));
}

constexpr Rule<SymbolNode> kSymbolNodeRules[] = {
    {"swmr-symbol-node-signature", node_signature},
    {"swmr-symbol-node-version", node_version},
    {"swmr-symbol-node-count", node_count},
};

// The position of a name in the heap, or of the value of a soft link; none if it does not end in
// the heap.
struct Name {
  std::uint64_t offset;
  std::optional<std::string_view> text;
};

constexpr Rule kNameRule("swmr-symbol-name-in-heap", [](const Name& it, Look& look) {
  look.looked();
  if (!it.text)
    look.fail(0, std::format("a text at {} of the heap", it.offset),
              "a text that begins and ends inside the heap");
});

// The clause also applies to link messages, and is listed there (link.cpp).
constexpr Rule kEmptyRule("swmr-link-name-not-empty", [](const std::string_view& name, Look& look) {
  look.looked();
  if (name.empty()) look.fail(0, "a name of 0 bytes", "a name");
});

struct Entry {
  std::uint64_t name = 0, header = kUndefined;
  std::uint32_t cache_type = 0;
  Region scratch{};
  Region region{};
};

void cache_type(const Entry& it, Look& look) {
  look.looked();
  if (it.cache_type > 2)
    look.fail(it.scratch.place.offset - it.region.place.offset - 8,
              std::format("cache type {}", it.cache_type), "0, 1 or 2");
}

void header_address(const Entry& it, Look& look) {
  if (it.cache_type > 1) return;
  look.looked();
  if (it.header == kUndefined)
    look.fail(0, "an undefined header address", "the address of an object header");
}

constexpr Rule<Entry> kEntryRules[] = {
    {"swmr-symbol-cache-type", cache_type},
    {"swmr-symbol-header-address", header_address},
};

struct NameOrder {
  const std::string& before;
  const std::string& name;
};

constexpr Rule kOrderRule("swmr-symbol-order", [](const NameOrder& it, Look& look) {
  look.looked();
  if (it.before >= it.name)
    look.fail(0, std::format("\"{}\" after \"{}\"", it.name, it.before), "names that ascend");
});

struct Remembered {
  const Link::Scratch& scratch;
  const SymbolTable* table;
};

constexpr Rule kScratchRule("swmr-symbol-scratch-pad", [](const Remembered& it, Look& look) {
  look.looked();
  if (!it.table)
    return look.fail(0, "a B-tree and a heap of an object that has none", "those of its header");
  if (it.scratch.tree != it.table->tree)
    look.fail(0, std::format("B-tree address {}", it.scratch.tree),
              std::format("{}, as in the header", it.table->tree));
  else if (it.scratch.heap != it.table->heap)
    look.fail(0, std::format("heap address {}", it.scratch.heap),
              std::format("{}, as in the header", it.table->heap));
});

// The keys of a group's tree, as names.
struct GroupKeys {
  const Tree1Node& node;
  std::vector<std::string_view> names;
  std::optional<std::string_view> left, right;  // of the parent

  std::uint64_t at(std::size_t key) const {
    return node.keys[key].place.offset - node.region.place.offset;
  }
};

void key_order(const GroupKeys& it, Look& look) {
  look.looked();
  for (std::size_t i = 1; i < it.names.size(); ++i)
    if (it.names[i] < it.names[i - 1])
      return look.fail(it.at(i),
                       std::format("key \"{}\" after \"{}\"", it.names[i], it.names[i - 1]),
                       "keys that ascend");
}

void key_range(const GroupKeys& it, Look& look) {
  if (!it.left || !it.right) return;
  look.looked();
  if (it.names.front() < *it.left || it.names.back() > *it.right)
    look.fail(it.at(0),
              std::format("keys from \"{}\" to \"{}\"", it.names.front(), it.names.back()),
              std::format("from \"{}\" to \"{}\", as in the parent", *it.left, *it.right));
}

// The clauses also apply to trees of chunks (chunk_tree1.cpp).
constexpr Rule<GroupKeys> kGroupKeyRules[] = {
    {"swmr-btree1-key-order", key_order},
    {"swmr-btree1-key-range", key_range},
};

// A node or an entry, and a reserved field in it that is not zero.
struct SymbolReserved {
  std::optional<std::uint64_t> at;
};

constexpr Rule kSymbolReservedRule("h5-symbol-reserved-zero", [](const SymbolReserved& it,
                                                                 Look& look) {
  look.looked();
  if (it.at) look.fail(*it.at, "a reserved field that is not zero", "zero");
});

constexpr Rule kSoftAddressRule("h5-symbol-soft-link-address", [](const Entry& it, Look& look) {
  if (it.cache_type != kCachedSoftLink) return;
  look.looked();
  if (it.header != kUndefined)
    look.fail(0, std::format("header address {} of a soft link", it.header),
              "an undefined address");
});

// The first key of a node that is the first one of its level.
struct FirstKey {
  std::string_view name;
};

constexpr Rule kFirstKeyRule("h5-btree1-group-key-empty", [](const FirstKey& it, Look& look) {
  look.looked();
  if (!it.name.empty())
    look.fail(0, std::format("the first key \"{}\"", it.name), "the empty string");
});

// The names of a symbol node between the keys that enclose it.
struct NodeNames {
  std::string_view left, right;
  std::span<const Link> links;

  // The first that is not between the keys; null if there is none.
  const Link* astray() const {
    const auto it = std::ranges::find_if(
        links, [&](const Link& link) { return link.name <= left || link.name > right; });
    return it == links.end() ? nullptr : &*it;
  }
  bool ends_with_key() const { return links.back().name == right; }
};

void names_in_range(const NodeNames& it, Look& look) {
  look.looked();
  if (const Link* link = it.astray())
    look.fail(
        0, std::format("\"{}\" between the keys \"{}\" and \"{}\"", link->name, it.left, it.right),
        "names above the left key, up to the right one",
        "A reader that looks the name up does not find it.");
}

void key_greatest(const NodeNames& it, Look& look) {
  look.looked();
  if (!it.ends_with_key())
    look.fail(0,
              std::format("the key \"{}\" after a node that ends with \"{}\"", it.right,
                          it.links.back().name),
              "the greatest name of the node");
}

constexpr Rule<NodeNames> kNodeNameRules[] = {
    {"h5-btree1-group-names-in-range", names_in_range},
    {"h5-btree1-group-key-greatest", key_greatest},
};

// --- Reading ------------------------------------------------------------------------------------

// The position of the reserved field in an entry, if it is not zero.
std::optional<std::uint64_t> reserved_of(const Region& entry, const Container& file) {
  Cursor read(entry);
  read.skip(std::uint64_t{file.length_size} + file.offset_size + 4);
  const std::uint64_t at = read.at();
  return read.u32() != 0 ? std::optional(at) : std::nullopt;
}

Entry parse_entry(const Region& region, const Container& file) {
  Cursor read(region);
  Entry entry{.region = region};
  entry.name = read.number(file.length_size, "name");
  entry.header = read.address(file.offset_size, "header");
  entry.cache_type = read.u32("cache type");
  read.take(4, "reserved");
  entry.scratch = read.take(kScratch);
  name_contents(entry.scratch, "scratch pad");
  return entry;
}

std::optional<Link> link_of(const Entry& entry, Container& file) {
  if (!judge<kEntryRules>(entry, entry.region.place, file.notes)) return std::nullopt;
  judge<kSoftAddressRule>(entry, entry.region.place, file.notes);
  Link link{.hard = entry.cache_type < 2,
            .type = entry.cache_type < 2 ? Link::kHard : Link::kSoft,
            .target = entry.header,
            .at = entry.region.place};
  if (entry.cache_type == 1) {
    const CachedAddresses cached;
    Cursor read(entry.scratch);
    const std::uint64_t tree = read.address(file.offset_size, "tree");
    link.scratch = Link::Scratch{tree, read.address(file.offset_size, "heap"), entry.scratch.place};
  }
  return link;
}

class GroupTree final : public Tree1 {
 public:
  GroupTree(const LocalHeap& heap, Container& file, std::vector<Link>& links)
      : Tree1(file, 0, file.group_internal_k, file.length_size), heap_(heap), links_(links),
        structure_(file.new_structure()) {}

  // All texts of the heap that the tree led to.
  const std::vector<GroupText>& texts() const { return texts_; }
  // Whether the names of each node are between its keys.
  bool in_range() const { return in_range_; }

 private:
  // `in_use`: and not only a key.
  std::optional<std::string_view> name(const Region& at, std::uint64_t offset, bool in_use = true) {
    const Name found{offset, heap_.text(offset)};
    if (!judge<kNameRule>(found, at.place, file_.notes) || !file_.charge(found.text->size()))
      return std::nullopt;
    if (!file_.notes.silent()) texts_.push_back({offset, found.text->size() + 1, in_use});
    return found.text;
  }

  std::optional<std::string_view> key_name(const Region& key) {
    Cursor read(key);
    return name(key, read.number(file_.length_size), false);
  }

  bool keys_hold(const Tree1Node& node, const Tree1Bounds& bounds) override {
    GroupKeys keys{node, {}, {}, {}};
    for (const Region& key : node.keys) {
      const auto text = key_name(key);
      if (!text) return false;
      keys.names.push_back(*text);
    }
    if (!bounds.left.bytes.empty()) {
      const Notes::Silence silence(file_.notes);  // they were judged in the parent
      keys.left = key_name(bounds.left);
      keys.right = key_name(bounds.right);
    }
    if (!judge<kGroupKeyRules>(keys, node.region.place, file_.notes)) return false;
    // The heap should begin with the empty string, which the first key is.
    if (node.used > 0 && leftmost(node) && heap_.begins_empty())
      judge<kFirstKeyRule>(FirstKey{keys.names.front()}, node.region.place, file_.notes);
    return true;
  }

  bool leaf(const Tree1Node& node) override {
    bool sound = true;
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      const std::size_t first = links_.size();
      const bool good = symbol_node(node.children[i]);
      if (file_.exhausted()) return false;
      if (good && links_.size() > first) names_hold(node, i, first);
      sound &= good;
    }
    return sound;
  }

  // The names of child i, the links from `first` on, between its keys.
  void names_hold(const Tree1Node& node, std::size_t i, std::size_t first) {
    std::optional<std::string_view> left, right;
    {
      const Notes::Silence silence(file_.notes);  // they were judged with the node
      left = key_name(node.keys[i]);
      right = key_name(node.keys[i + 1]);
    }
    if (!left || !right) return;
    const NodeNames names{*left, *right, std::span(links_).subspan(first)};
    in_range_ &= !names.astray() && names.ends_with_key();
    judge<kNodeNameRules>(names, file_.place("SNOD", node.children[i]), file_.notes);
  }

  bool symbol_node(std::uint64_t address) {
    const std::uint64_t entry_size =
        std::uint64_t{file_.length_size} + file_.offset_size + 8 + kScratch;
    const std::uint64_t size = 8 + 2 * std::uint64_t{file_.group_leaf_k} * entry_size;
    const auto met = file_.meet(address, structure_);
    const auto block = file_.block("SNOD", address, size);
    if (!block) return refuse();
    const Region region = block->region();
    SymbolNode node{.region = region, .most = 2 * file_.group_leaf_k};
    Cursor read(region);
    read.take(4, "signature");
    node.version = read.u8("version");
    SymbolReserved reserved;
    if (read.u8("reserved") != 0) reserved.at = 5;
    node.count = read.u16("count");
    if (!judge<kSymbolNodeRules>(node, region.place, file_.notes)) return refuse();
    for (unsigned i = 0; i < node.count && !reserved.at; ++i)
      if (const auto at = reserved_of(region.part(8 + i * entry_size, entry_size), file_))
        reserved.at = 8 + i * entry_size + *at;
    judge<kSymbolReservedRule>(reserved, region.place, file_.notes);
    take_in("SNOD", address, size);
    if (met != Container::Met::kFirst) return false;
    bool sound = true;
    const std::size_t first = links_.size();
    for (unsigned i = 0; i < node.count; ++i) sound &= take_entry(read.take(entry_size));
    name_unused(region.part(read.at()));
    if (file_.exhausted()) return false;
    for (std::size_t i = first + 1; sound && i < links_.size(); ++i)
      sound = judge<kOrderRule>(NameOrder{links_[i - 1].name, links_[i].name}, links_[i].at,
                                file_.notes);
    return sound;
  }

  bool take_entry(const Region& region) {
    const Entry entry = parse_entry(region, file_);
    const auto text = name(region, entry.name);
    if (!text || !judge<kEmptyRule>(*text, region.place, file_.notes)) return false;
    std::optional<Link> link = link_of(entry, file_);
    if (!link) return false;
    if (entry.cache_type == kCachedSoftLink) {
      Cursor value(entry.scratch);
      const auto target = name(entry.scratch, value.u32());
      if (!target) return false;
      link->value = *target;
    }
    link->name = *text;
    if (file_.whole_format) judge_link_name({link->name, false}, link->at, file_.notes);
    links_.push_back(std::move(*link));
    return true;
  }

  const LocalHeap& heap_;
  std::vector<GroupText> texts_{};
  std::vector<Link>& links_;
  std::uint32_t structure_;
  bool in_range_ = true;
};

}  // namespace

void symbol_table_rules(RuleList& list) {
  list.structure<kSymbolNodeRules, kNameRule, kEntryRules, kOrderRule, kScratchRule,
                 kSymbolReservedRule, kSoftAddressRule, kFirstKeyRule, kNodeNameRules>();
}

SymbolTable parse_symbol_table(const Region& message, const Container& file) {
  Cursor read(message);
  const std::uint64_t tree = read.address(file.offset_size, "tree");
  return {tree, read.address(file.offset_size, "heap")};
}

bool read_symbol_table(const SymbolTable& table, Container& file, std::vector<Link>& links) {
  const std::optional<LocalHeap> heap = LocalHeap::read(table.heap, file);
  if (!heap) return false;
  GroupTree tree(*heap, file, links);
  const bool sound = tree.walk(table.tree);
  heap->judge_texts(tree.texts(), sound && tree.in_range(), file);
  return sound;
}

std::optional<Link> read_root_entry(const Region& entry, Container& file) {
  judge<kSymbolReservedRule>(SymbolReserved{reserved_of(entry, file)}, entry.place, file.notes);
  return link_of(parse_entry(entry, file), file);
}

void judge_scratch(const Link::Scratch& scratch, const SymbolTable* table, Container& file) {
  judge<kScratchRule>(Remembered{scratch, table}, scratch.at, file.notes);
}

}  // namespace hepcheck::hdf5
