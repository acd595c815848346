#include "validator/formats/hdf5/btree2.h"

#include <algorithm>
#include <utility>

namespace hepcheck::hdf5 {

namespace {

constexpr std::uint64_t kHead = 6;

class Tree {
 public:
  Tree(const Tree2Wanted& wanted, Container& file, const Tree2Records& record)
      : file_(file), record_(record), structure_(file.new_structure()),
        header_{.wanted = wanted, .offset_size = file.offset_size} {}

  bool walk(std::uint64_t address) {
    const std::uint64_t size = 22 + std::uint64_t{file_.offset_size} + file_.length_size;
    const auto met = file_.meet(address, structure_);
    const auto block = file_.block("BTHD", address, size);
    if (!block || !header(block->region())) return false;
    file_.accept("BTHD", address, size);
    if (met != Container::Met::kFirst) return false;
    if (header_.root == kUndefined) return true;
    shape_ = shape_of(header_);
    Place from = block->region().place;
    from.offset += 16 + file_.offset_size;
    const Tree2Pointer root{.address = header_.root,
                            .records = header_.root_records,
                            .depth = header_.depth,
                            .most = shape_.levels[header_.depth].most,
                            .root = true};
    std::uint64_t found = 0;
    if (!node(root, from, found)) return false;
    from.offset += 2;
    return holds(Tree2Total{true, header_.total, found}, from, file_.notes);
  }

 private:
  bool header(const Region& region) {
    header_.region = region;
    header_.sum = sum_of(region);
    Cursor read(region);
    read.take(4, "signature");
    header_.version = read.u8("version");
    header_.type = read.u8("type");
    header_.node_size = read.u32("node size");
    header_.record_size = read.u16("record size");
    header_.depth = read.u16("depth");
    header_.split = read.u8("split");
    header_.merge = read.u8("merge");
    header_.root = read.address(file_.offset_size, "root");
    header_.root_records = read.u16("root records");
    header_.total = read.number(file_.length_size, "total");
    return holds(header_, region.place, file_.notes);
  }

  // The used bytes of a node, including the checksum.
  std::uint64_t used(unsigned depth, std::uint64_t records) const {
    const std::uint64_t children = depth > 0 ? (records + 1) * shape_.levels[depth].pointer : 0;
    return kHead + records * header_.record_size + children + kChecksum;
  }

  // The count for which the checksum matches, if there is one. The cost of this search is limited
  // per file.
  std::optional<std::uint64_t> count_that_holds(const Region& node, const Tree2Pointer& pointer) {
    for (std::uint64_t n = 0; n <= pointer.most; ++n) {
      const Region part = node.part(0, used(pointer.depth, n));
      if (part.size() > file_.tries) return std::nullopt;
      file_.tries -= part.size();
      if (n != pointer.records && sum_of(part).good()) return n;
    }
    return std::nullopt;
  }

  // `from`: the position of the pointer; `found`: counts the records.
  bool node(Tree2Pointer pointer, const Place& from, std::uint64_t& found) {
    const bool leaf = pointer.depth == 0;
    const std::string_view kind = leaf ? "BTLF" : "BTIN";
    const auto met = file_.meet(pointer.address, structure_);
    pointer.again = met == Container::Met::kInThisOne;
    if (!holds(pointer, from, file_.notes)) return false;
    const auto block = file_.block(kind, pointer.address, header_.node_size);
    if (!block) return false;
    const Region region = block->region();
    Tree2Node node{.region = region, .type_wanted = header_.type, .leaf = leaf};
    Cursor read(region);
    read.take(4, "signature");
    node.version = read.u8("version");
    node.type = read.u8("type");
    if (!holds(node, region.place, file_.notes)) return false;
    Tree2Sum sum{.sum = sum_of(region.part(0, used(pointer.depth, pointer.records))),
                 .root = pointer.root,
                 .records = pointer.records};
    if (!sum.sum.good()) sum.for_others = count_that_holds(region, pointer);
    if (!holds(sum, region.place, from, file_.notes) ||
        !holds_behind(node, region.place, file_.notes))
      return false;
    file_.accept(kind, pointer.address, header_.node_size);
    name_unused(region.part(used(pointer.depth, pointer.records)));
    if (met == Container::Met::kInAnother) return false;
    return contents(region, pointer, found);
  }

  bool contents(const Region& region, const Tree2Pointer& pointer, std::uint64_t& found) {
    const std::uint64_t size = header_.record_size;
    const Region children = region.part(kHead + pointer.records * size);
    Cursor read(children);
    bool sound = true;
    for (std::uint64_t i = 0; i <= pointer.records; ++i) {
      if (pointer.depth > 0) {
        Place from = children.place;
        from.offset += read.at();
        sound &= child(read, pointer.depth, from, found);
        if (file_.exhausted()) return false;
      }
      if (i == pointer.records) break;
      ++found;
      sound &= record_(region.part(kHead + i * size, size));
    }
    return sound;
  }

  bool child(Cursor& read, unsigned depth, const Place& from, std::uint64_t& found) {
    const Tree2Shape::Level& level = shape_.levels[depth];
    Tree2Pointer pointer{.address = read.address(file_.offset_size, "address"),
                         .records = read.number(shape_.count_width, "records"),
                         .total = read.number(level.total_width, "total"),
                         .depth = depth - 1,
                         .most = shape_.levels[depth - 1].most};
    std::uint64_t below = 0;
    if (!node(pointer, from, below)) {
      found += below;
      return false;
    }
    found += below;
    return level.total_width == 0 ||
           holds(Tree2Total{false, pointer.total, below}, from, file_.notes);
  }

  Container& file_;
  const Tree2Records& record_;
  std::uint32_t structure_;
  Tree2Header header_;
  Tree2Shape shape_{};
};

}  // namespace

bool walk_tree2(std::uint64_t address, const Tree2Wanted& wanted, Container& file,
                const Tree2Records& record) {
  return Tree(wanted, file, record).walk(address);
}

}  // namespace hepcheck::hdf5
