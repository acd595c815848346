#include "validator/formats/hdf5/dense.h"

#include <format>
#include <span>
#include <utility>

#include "validator/formats/hdf5/fractal_heap.h"
#include "validator/formats/hdf5/lookup3.h"
#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

constexpr std::uint64_t kLinkId = 7, kAttributeId = 8;
constexpr std::uint8_t kShared = 2;  // of the flags of an attribute's record

// A record of a name index.
struct NameRecord {
  Region id{};
  std::uint32_t hash = 0;
  std::uint8_t flags = 0;
};

NameRecord parse(const Region& record, Tree2Type type) {
  Cursor read(record);
  NameRecord made;
  if (type == Tree2Type::kLinkNames) {
    made.hash = read.u32();
    made.id = read.take(kLinkId);
  } else {
    made.id = read.take(kAttributeId);
    made.flags = read.u8();
    read.skip(4);  // creation order
    made.hash = read.u32();
  }
  return made;
}

struct Hash {
  std::uint32_t stated;
  const std::string& name;
};

constexpr Rule kHashRule("swmr-dense-name-hash", [](const Hash& it, Look& look) {
  look.looked();
  const std::uint32_t hash = lookup3(std::as_bytes(std::span(it.name)));
  if (it.stated != hash)
    look.fail(0, std::format("hash {:08x} of \"{}\"", it.stated, it.name),
              std::format("{:08x}", hash));
});

struct Order {
  std::uint32_t hash, before_hash;
  const std::string& name;
  const std::string& before;
};

constexpr Rule kOrderRule("swmr-dense-record-order", [](const Order& it, Look& look) {
  look.looked();
  if (it.hash < it.before_hash || (it.hash == it.before_hash && it.name < it.before))
    look.fail(0,
              std::format("\"{}\" with the hash {:08x} after \"{}\" with {:08x}", it.name, it.hash,
                          it.before, it.before_hash),
              "records that ascend by hash, then by name");
});

}  // namespace

void dense_rules(RuleList& list) { list.structure<kHashRule, kOrderRule>(); }

bool read_dense(const Dense& where, Tree2Type type, Container& file, const DenseTake& take) {
  const std::optional<FractalHeap> heap = FractalHeap::read(where.heap, file);
  if (!heap) return false;
  const Tree2Wanted wanted{
      .type = type, .record_size = type == Tree2Type::kLinkNames ? 4 + kLinkId : 9 + kAttributeId};
  std::string before;
  std::uint32_t before_hash = 0;
  bool any = false;
  return walk_tree2(where.names, wanted, file, [&](const Region& region) {
    const NameRecord record = parse(region, type);
    if ((record.flags & kShared) != 0) {
      file.notes.not_examined("swmr-shared-message-form",
                              "an attribute in the heap of shared messages");
      return false;
    }
    const std::optional<Region> message = heap->object(record.id, file);
    if (!message || !file.charge(message->size())) return false;
    std::optional<std::string> name = take(*message);
    if (!name) return false;
    if (!judge<kHashRule>(Hash{record.hash, *name}, region.place, file.notes)) return false;
    if (any && !judge<kOrderRule>(Order{record.hash, before_hash, *name, before}, region.place,
                                  file.notes))
      return false;
    before = std::move(*name);
    before_hash = record.hash;
    any = true;
    return true;
  });
}

}  // namespace hepcheck::hdf5
