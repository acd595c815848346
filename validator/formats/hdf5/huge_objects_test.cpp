// Huge objects of a fractal heap, with and without filters, in heaps whose ids have any length:
// which bytes of an id count, what the tree of the objects says of each, and the sums over it.
#include "validator/formats/hdf5/huge_objects.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <format>
#include <string>
#include <vector>

#include "validator/formats/hdf5/fractal_heap.h"
#include "validator/formats/hdf5/testing/zeros.h"

namespace hepcheck::hdf5::huge {
namespace {

using testing::summed;
using testing::Zeros;

constexpr ClauseId kId = "h5-fractal-heap-huge-id", kOrder = "h5-fractal-heap-huge-order",
                   kStatistics = "h5-fractal-heap-huge-statistics",
                   kNext = "h5-fractal-heap-huge-next-id";
constexpr std::uint64_t kHeader = 64, kLeaf = 512;

struct Form {
  unsigned offset = 8, length = 8;
  bool filtered = false;
  std::uint16_t id_length = 0;

  unsigned both() const { return offset + length; }
  // Bytes of an id that holds all of a record.
  unsigned whole() const { return 1 + both() + (filtered ? 4 + length : 0); }
  bool direct() const { return id_length >= whole(); }
  // Bytes of an id that count.
  unsigned used() const { return direct() ? whole() : std::min(id_length + 0U, 9U); }
  std::string text() const {
    return std::format("addresses of {}, lengths of {}, ids of {} bytes{}", offset, length,
                       id_length, filtered ? ", filtered" : "");
  }
};

// Every length of an id from two bytes to some that are not used.
std::vector<Form> forms() {
  std::vector<Form> made;
  for (const unsigned offset : {4U, 8U})
    for (const unsigned length : {4U, 8U})
      for (const bool filtered : {false, true}) {
        Form form{.offset = offset, .length = length, .filtered = filtered};
        const unsigned last = form.whole() + 3;
        for (form.id_length = 2; form.id_length <= last; ++form.id_length) made.push_back(form);
      }
  return made;
}

std::vector<HugeObject> some_objects() {
  return {{.address = 1024, .length = 100, .mask = 1, .memory = 400, .id = 3},
          {.address = 1024, .length = 120, .mask = 0, .memory = 410, .id = 4},
          {.address = 2048, .length = 100, .mask = 2, .memory = 420, .id = 90}};
}

std::string stored(const HugeObject& object, const Form& form) {
  std::string made = number(object.address, form.offset) + number(object.length, form.length);
  if (form.filtered) made += number(object.mask, 4) + number(object.memory, form.length);
  return made;
}

std::string id_of(const HugeObject& object, const Form& form) {
  std::string made =
      number(0x10, 1) + (form.direct() ? stored(object, form) : number(object.id, form.used() - 1));
  made.resize(form.id_length);
  return made;
}

// A heap that has the objects, in this order.
struct Heap {
  Form form;
  Zeros zeros{};
  HeapGeometry geometry{};
  HugeObjects huge{};

  Heap(const Form& of, const std::vector<HugeObject>& objects) : form(of) {
    zeros.file.offset_size = form.offset;
    zeros.file.length_size = form.length;
    std::string records;
    for (const HugeObject& each : objects) {
      records += stored(each, form);
      if (!form.direct()) records += number(each.id, form.length);
      geometry.huge_bytes += form.filtered ? each.memory : each.length;
    }
    const unsigned type = (form.direct() ? 3 : 1) + (form.filtered ? 1 : 0);
    zeros.write(kHeader, summed("BTHD" + number(0, 1) + number(type, 1) + number(512, 4) +
                                number(records.size() / objects.size(), 2) + number(0, 2) +
                                number(100, 1) + number(40, 1) + number(kLeaf, form.offset) +
                                number(objects.size(), 2) + number(objects.size(), form.length)));
    zeros.write(kLeaf, summed("BTLF" + number(0, 1) + number(type, 1) + records));
    geometry.id_length = form.id_length;
    geometry.most_managed = 90;
    geometry.huge_objects = objects.size();
    geometry.huge_tree = kHeader;
    geometry.next_huge = objects.back().id;
    huge.read(geometry, form.filtered, place(), zeros.file);
  }
  Place place() const { return {"FRHP", 0, 0}; }
  const HugeObject* find(const std::string& id) {
    return huge.find({std::as_bytes(std::span(id)), place()}, zeros.file);
  }
  std::uint64_t found(const ClauseId& clause) const {
    return zeros.notes.probe_of(clause).total_findings();
  }
};

TEST(HugeObjects, AreFoundByEveryByteOfTheirIds) {
  for (const Form& form : forms()) {
    const std::vector<HugeObject> objects = some_objects();
    Heap heap(form, objects);
    ASSERT_EQ(heap.zeros.notes.failed().count(), 0u) << form.text();
    std::uint64_t refused = 0;
    const auto refuses = [&](const std::string& id) {
      EXPECT_EQ(heap.find(id), nullptr) << form.text();
      EXPECT_EQ(heap.found(kId), ++refused) << form.text();
    };
    for (const HugeObject& each : objects) {
      const std::string id = id_of(each, form);
      const HugeObject* const found = heap.find(id);
      ASSERT_NE(found, nullptr) << form.text();
      EXPECT_EQ(found->address, each.address);
      EXPECT_EQ(found->length, each.length);
      EXPECT_EQ(found->memory, form.filtered ? each.memory : each.length);
      EXPECT_EQ(found->mask, form.filtered ? each.mask : 0);
      EXPECT_EQ(heap.found(kId), refused) << form.text();
      for (std::size_t at = 1; at < form.id_length; ++at) {
        std::string other = id;
        other[at] = static_cast<char>(other[at] ^ 0x40);
        if (at < form.used())
          refuses(other);
        else
          EXPECT_EQ(heap.find(other), found) << form.text();
      }
      for (std::size_t size = 1; size < form.used(); ++size) refuses(id.substr(0, size));
    }
    if (HasFailure()) return;
  }
}

// By address, then by length, or by id.
TEST(HugeObjects, AreInTheOrderOfTheirKeys) {
  for (const Form& form : forms()) {
    std::vector<HugeObject> objects = some_objects();
    std::vector<std::size_t> order{0, 1, 2};
    do {
      std::vector<HugeObject> moved;
      for (const std::size_t i : order) moved.push_back(objects[i]);
      const Heap heap(form, moved);
      EXPECT_EQ(heap.found(kOrder), std::ranges::is_sorted(order) ? 0u : 1u) << form.text();
    } while (std::ranges::next_permutation(order).found);
    objects[1] = objects[0];
    EXPECT_EQ(Heap(form, objects).found(kOrder), 1u) << form.text();
    if (HasFailure()) return;
  }
}

TEST(HugeObjects, HaveTheNumberAndTheBytesThatTheHeapStates) {
  for (const Form& form : forms()) {
    const std::vector<HugeObject> objects = some_objects();
    const auto about = [&](const ClauseId& clause, const auto& change) {
      Heap heap(form, objects);
      change(heap.geometry);
      heap.huge.judge_statistics(heap.geometry, heap.place(), heap.zeros.file);
      return heap.found(clause);
    };
    EXPECT_EQ(about(kStatistics, [](HeapGeometry&) {}), 0u) << form.text();
    EXPECT_EQ(about(kStatistics, [](HeapGeometry& of) { ++of.huge_objects; }), 1u);
    EXPECT_EQ(about(kStatistics, [](HeapGeometry& of) { --of.huge_objects; }), 1u);
    EXPECT_EQ(about(kStatistics, [](HeapGeometry& of) { ++of.huge_bytes; }), 1u);
    // Ids that hold the place of their object are not counted.
    EXPECT_EQ(about(kNext, [](HeapGeometry&) {}), 0u) << form.text();
    EXPECT_EQ(about(kNext, [](HeapGeometry& of) { --of.next_huge; }), form.direct() ? 0u : 1u);
    EXPECT_EQ(about(kNext, [](HeapGeometry& of) { --of.next_huge, of.flags = 1; }), 0u);
    if (HasFailure()) return;
  }
}

// The greatest id, and the first one that is too large for the bytes of an id.
TEST(HugeObjects, HaveIdsOfAsManyBytesAsTheHeapHas) {
  for (const unsigned bytes : {1, 2, 3, 4, 5, 6, 7, 8, 9})
    for (const bool beyond : {false, true}) {
      const Form form{.id_length = static_cast<std::uint16_t>(bytes + 1)};
      const std::uint64_t last =
          bytes >= 8 ? kUndefined : (std::uint64_t{1} << 8 * bytes) - (beyond ? 0 : 1);
      Heap heap(form, {some_objects().front(), {.address = 2048, .length = 100, .id = last}});
      heap.huge.judge_statistics(heap.geometry, heap.place(), heap.zeros.file);
      EXPECT_EQ(heap.found(kNext), beyond && bytes < 8 ? 1u : 0u) << form.text();
    }
}

// After a record that leads out of the file, it is not known which objects there are.
TEST(HugeObjects, MayBeThoseOfARecordThatIsAstray) {
  for (const std::size_t astray : {0, 1, 2}) {
    const Form form{.id_length = 9};
    std::vector<HugeObject> objects = some_objects();
    objects[astray].length = 5000;
    Heap heap(form, objects);
    EXPECT_EQ(heap.found("h5-fractal-heap-huge-inside-file"), 1u);
    EXPECT_EQ(heap.find(id_of({.id = 50}, form)), nullptr);
    EXPECT_EQ(heap.found(kId), 0u);
    for (std::size_t i = 0; i < objects.size(); ++i)
      EXPECT_EQ(heap.find(id_of(objects[i], form))->inside, i != astray);
  }
}

}  // namespace
}  // namespace hepcheck::hdf5::huge
