#include "validator/formats/hdf5/global_heap.h"

#include <algorithm>
#include <format>
#include <utility>

#include "validator/counted.h"
#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

constexpr std::uint64_t aligned(std::uint64_t size) {
  return size > kUndefined - 7 ? kUndefined : (size + 7) / 8 * 8;
}

// Reads from the file; none if the range is outside.
std::optional<Block> taken(Container& file, std::uint64_t address, std::uint64_t size) {
  if (!file.inside(address, size)) return std::nullopt;
  Block made(size, file.place("GCOL", address));
  if (!file.read(address, made.bytes())) return std::nullopt;
  return made;
}

// --- What is judged -----------------------------------------------------------------------------

struct CollectionHead {
  Region region;
  std::uint8_t version = 0;
  std::uint64_t size = 0;
};

void collection_signature(const CollectionHead& it, Look& look) {
  look.looked();
  if (!it.region.begins("GCOL")) look.fail(0, "other bytes", "GCOL");
}

void collection_version(const CollectionHead& it, Look& look) {
  look.looked();
  if (it.version != 1) look.fail(4, std::format("version {}", it.version), "version 1");
}

void collection_size(const CollectionHead& it, Look& look) {
  constexpr std::uint64_t kLeast = 4096;
  look.looked();
  if (it.size < kLeast)
    look.fail(8, std::format("a collection of {} bytes", it.size), "4096 bytes at least");
}

constexpr Rule kCollectionSignature("h5-global-heap-signature", collection_signature);
constexpr Rule<CollectionHead> kCollectionRules[] = {
    {"h5-global-heap-version", collection_version},
    {"h5-global-heap-size", collection_size},
};

// An object, or the free space, at its place in the collection.
struct CollectionObject {
  std::uint64_t at = 0, head = 0, rest = 0;  // `rest`: from its beginning to the end
  std::uint16_t index = 0, count = 0;
  std::uint32_t reserved = 0;
  std::uint64_t size = 0;

  std::uint64_t taken() const { return sum(head, aligned(size)); }
};

void object_fits(const CollectionObject& it, Look& look) {
  if (it.index == 0) return;
  look.looked();
  if (it.taken() > it.rest)
    look.fail(it.at, std::format("object {} of {} bytes", it.index, it.size),
              std::format("an object that ends inside the collection, {} bytes later", it.rest));
}

void free_last(const CollectionObject& it, Look& look) {
  if (it.index != 0) return;
  look.looked();
  if (it.size != it.rest || it.size % 8 != 0)
    look.fail(it.at, std::format("free space of {} bytes", it.size),
              std::format("{} bytes, to the end of the collection", it.rest));
}

constexpr Rule<CollectionObject> kCollectionObjectRules[] = {
    {"h5-global-heap-object-fits", object_fits},
    {"h5-global-heap-free-last", free_last},
};

// What is known when all objects have been read.
struct CollectionWhole {
  std::optional<std::uint16_t> twice{};         // an index that two objects have
  std::optional<std::uint64_t> not_reserved{};  // where a reserved field is not zero
};

void object_once(const CollectionWhole& it, Look& look) {
  look.looked();
  if (it.twice)
    look.fail(0, std::format("two objects with the index {}", *it.twice), "each index once");
}

void reserved_zero(const CollectionWhole& it, Look& look) {
  look.looked();
  if (it.not_reserved) look.fail(*it.not_reserved, "a reserved field that is not zero", "zero");
}

constexpr Rule<CollectionWhole> kCollectionWholeRules[] = {
    {"h5-global-heap-object-once", object_once},
    {"h5-global-heap-reserved-zero", reserved_zero},
};

struct ObjectUse {
  std::uint16_t index;
  bool again;
};

constexpr Rule kSharedRule("h5-global-heap-object-shared", [](const ObjectUse& it, Look& look) {
  look.looked();
  if (it.again)
    look.fail(0, std::format("a second element with the object {}", it.index),
              "an object for each element",
              "Rewriting one of the elements frees the object of the other.");
});

}  // namespace

std::optional<std::string> heap_text(const Region& element, Container& file) {
  Cursor reference(element);
  const std::uint64_t length = reference.u32("length");
  const std::uint64_t collection = reference.address(file.offset_size, "collection");
  const std::uint32_t number = reference.u32("number");
  if (!reference.good()) return std::nullopt;
  if (length == 0) return std::string();
  const std::uint64_t head = aligned(8 + std::uint64_t{file.length_size});
  const auto start = taken(file, collection, head);
  if (!start || !start->region().begins("GCOL")) return std::nullopt;
  Cursor of_collection(start->region().part(8));
  const std::uint64_t end = sum(collection, of_collection.number(file.length_size));
  std::uint64_t at = collection + head;
  while (sum(at, head) <= end) {
    const auto object = taken(file, at, head);
    if (!object) return std::nullopt;
    Cursor read(object->region());
    const std::uint16_t index = read.u16("index");
    read.skip(6);
    const std::uint64_t size = read.number(file.length_size, "size");
    if (index == 0) return std::nullopt;  // the rest is free
    if (index != number) {
      at = sum(at + head, aligned(size));
      continue;
    }
    if (size < length || sum(at + head, size) > end) return std::nullopt;
    const auto text = taken(file, at + head, length);
    if (!text) return std::nullopt;
    const auto bytes = text->region().bytes;
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  return std::nullopt;
}

void global_heap_rules(RuleList& list) {
  list.structure<kCollectionSignature, kCollectionRules, kCollectionObjectRules,
                 kCollectionWholeRules, kSharedRule>();
}

GlobalHeaps::Found GlobalHeaps::object(std::uint64_t address, std::uint32_t index, bool used) {
  Collection& found = collection(address);
  if (!found.sound) return {};
  const auto it = std::ranges::lower_bound(found.objects, index, {}, &Object::index);
  if (it == found.objects.end() || it->index != index)
    return {.answer = found.whole || index == 0 ? Answer::kMissing : Answer::kNotExamined};
  if (used && !file_.notes.silent()) {
    judge<kSharedRule>(ObjectUse{it->index, it->used}, file_.place("GCOL", address, it->at),
                       file_.notes);
    uses_ += !std::exchange(it->used, true);
  }
  return {Answer::kFound, found.block->region().part(it->at, it->size)};
}

std::uint64_t GlobalHeaps::unused_bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& [address, each] : all_)
    for (const Object& object : each.objects)
      if (!object.used) bytes = sum(bytes, object.size);
  return bytes;
}

GlobalHeaps::Collection& GlobalHeaps::collection(std::uint64_t address) {
  const auto [it, fresh] = all_.try_emplace(address);
  if (fresh) read(address, it->second);
  return it->second;
}

void GlobalHeaps::read(std::uint64_t address, Collection& into) {
  const std::uint64_t head = aligned(8 + std::uint64_t{file_.length_size});
  const auto start = file_.beginning("GCOL", address, head);
  if (!start) return;
  Cursor fields(start->region());
  fields.take(4, "signature");
  CollectionHead judged{.region = start->region(), .version = fields.u8("version")};
  fields.take(3, "reserved");
  judged.size = fields.number(file_.length_size, "size");
  const Place place = start->region().place;
  if (!judge<kCollectionSignature>(judged, place, file_.notes)) return;
  if (!fields.good()) {
    file_.block("GCOL", address, head);  // reports that it is not inside the file
    return;
  }
  if (!judge<kCollectionRules>(judged, place, file_.notes)) return;
  if (file_.inside(address, judged.size) && judged.size > file_.limits().block_bytes) {
    file_.notes.not_examined(
        "h5-global-heap-object-fits",
        "a collection that exceeds the limit of " + counted(file_.limits().block_bytes, "byte"));
    return;
  }
  auto block = file_.block("GCOL", address, judged.size);
  if (!block) return;
  into.sound = true;
  into.whole = walk(block->region(), into);
  file_.accept("GCOL", address, into.extent);
  into.block = std::make_unique<Block>(std::move(*block));
}

// False if part of it was refused.
bool GlobalHeaps::walk(const Region& block, Collection& into) {
  const std::uint64_t head = aligned(8 + std::uint64_t{file_.length_size});
  CollectionWhole whole;
  into.extent = block.size();
  for (std::uint64_t i = 5; i < 8; ++i)
    if (block.bytes[i] != std::byte{0}) whole.not_reserved = 5;
  bool sound = true;
  for (std::uint64_t at = head; sound && block.size() - at >= head;) {
    Cursor read(block.part(at, head));
    CollectionObject object{.at = at, .head = head, .rest = block.size() - at};
    object.index = read.u16("index");
    object.count = read.u16("count");
    object.reserved = read.u32("reserved");
    object.size = read.number(file_.length_size, "size");
    sound = judge<kCollectionObjectRules>(object, block.place, file_.notes);
    if (sound && !whole.not_reserved &&
        (object.reserved != 0 || (object.index == 0 && object.count != 0)))
      whole.not_reserved = at;
    if (object.index == 0 && sound) name_unused(block.part(at + head), "free space");
    if (!sound) {
      // A wrong size of the object before it may have led here.
      if (!into.objects.empty()) into.objects.pop_back();
      // Where the free space ends before the collection does, the size of the collection is wrong.
      if (object.index == 0 && object.size >= head)
        into.extent = std::min(into.extent, sum(at, object.size));
    }
    if (object.index == 0 || !sound) break;
    name_contents(block.part(at + head, object.size), "object");
    name_unused(block.part(at + head + object.size, object.taken() - head - object.size),
                "padding");
    into.objects.push_back({object.index, false, at + head, object.size});
    at += object.taken();
    if (block.size() - at < head) name_unused(block.part(at), "free space");
  }
  objects_ += into.objects.size();
  std::ranges::stable_sort(into.objects, {}, &Object::index);
  const auto twice = std::ranges::adjacent_find(into.objects, {}, &Object::index);
  if (twice != into.objects.end()) {
    const std::uint16_t index = twice->index;
    // A collection that was taken apart at the wrong bytes is one defect.
    if (sound) whole.twice = index;
    // Which of the two an element means is not known.
    std::erase_if(into.objects, [&](const Object& each) { return each.index == index; });
  }
  return judge_each<kCollectionWholeRules>(whole, block.place, file_.notes) && sound;
}

}  // namespace hepcheck::hdf5
