// References to attributes of objects of every fate: read, beyond a limit, without a link, or with
// an attribute that cannot be read. Only of what was read is known that an attribute is missing.
#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "validator/catalogue/clause.h"
#include "validator/examine_file.h"
#include "validator/formats/hdf5/testing/bytes.h"

namespace hepcheck::hdf5::attribute_references {
namespace {

constexpr std::uint64_t kRoot = 48, kReferring = 512, kTarget = 1'024, kHeap = 4'096, kEnd = 8'192;

struct Target {
  bool linked = true, before = false;  // the link to it is before that to the reference
  unsigned version = 3;                // of its attributes
  std::uint64_t attributes = 1;        // named a0, a1 and so on
};

std::string attribute(unsigned version, const std::string& name) {
  const std::string space = number(2, 1) + number(0, 3);
  return testing::message(12, number(version, 1) + number(0, 1) + number(name.size() + 1, 2) +
                                  number(testing::byte_type().size(), 2) + number(space.size(), 2) +
                                  number(0, 1) + name + '\0' + testing::byte_type() + space + '\7');
}

std::string file_of(const Target& target, const std::string& name) {
  const auto put = [](std::string& image, std::uint64_t at, const std::string& bytes) {
    EXPECT_LE(image.size(), at);
    image.resize(at);
    image += bytes;
  };
  const std::string to_reference = testing::link_to("m", kReferring);
  std::string links = to_reference;
  if (target.linked)
    links = target.before ? testing::link_to("a", kTarget) + links
                          : links + testing::link_to("z", kTarget);
  const std::string block = number(8, 1) + number(kTarget, 8) + number(name.size(), 2) + name;
  const std::string value =
      number(4, 1) + number(0, 1) + number(block.size(), 4) + number(kHeap, 8) + number(1, 4);
  std::string image = testing::superblock(0, kUndefined, kEnd, kRoot);
  put(image, kRoot, testing::header(testing::link_info() + links));
  put(image, kReferring,
      testing::header(
          testing::message(1, number(2, 1) + number(0, 3)) +
          testing::message(
              3, number(4 << 4 | 7, 1) + number(4 | 1 << 4, 3) + number(value.size(), 4)) +
          testing::message(5, number(3, 1) + number(9, 1)) +
          testing::message(8, number(3, 1) + number(0, 1) + number(value.size(), 2) + value)));
  std::string of_target = testing::link_info();
  for (std::uint64_t i = 0; i < target.attributes; ++i)
    of_target += attribute(target.version, 'a' + std::to_string(i));
  put(image, kTarget, testing::header(of_target));
  std::string heap = "GCOL" + number(1, 4) + number(kEnd - kHeap, 8) + number(1, 2) + number(1, 2) +
                     number(0, 4) + number(block.size(), 8) + block;
  heap.resize((heap.size() + 7) / 8 * 8);
  put(image, kHeap, heap + number(0, 8) + number(kEnd - kHeap - heap.size(), 8));
  image.resize(kEnd);
  return image;
}

Verdict verdict_of(const std::string& image, std::uint64_t objects) {
  FileOptions options{.examine = {.jobs = 1}};
  options.limits.objects = objects;
  const FileReport report = examine_image(std::as_bytes(std::span(image)), "image", std::nullopt,
                                          &default_revision("hdf5"), options);
  for (const SubjectReport& subject : report.subjects)
    for (const ClauseResult& result : subject.clauses)
      if (result.clause->id == "h5-reference-attribute-exists") return result.verdict;
  ADD_FAILURE() << "no such clause";
  return Verdict::kNotApplicable;
}

TEST(AttributeReferences, ToObjectsOfEveryFate) {
  const auto verdict = [](const Target& target, const std::string& name, std::uint64_t objects) {
    return verdict_of(file_of(target, name), objects);
  };
  for (const std::uint64_t attributes : {0, 1, 2, 5})
    for (const bool before : {false, true})
      for (std::uint64_t i = 0; i < 6; ++i) {
        const std::string name = 'a' + std::to_string(i);
        const Target target{.before = before, .attributes = attributes};
        const Verdict read = i < attributes ? Verdict::kPass : Verdict::kFail;
        EXPECT_EQ(verdict(target, name, 3), read) << attributes << name;
        // The last one of three objects is not read.
        EXPECT_EQ(verdict(target, name, 2), before ? Verdict::kNotApplicable : Verdict::kNotChecked)
            << attributes << name;
        EXPECT_EQ(verdict({.linked = false, .attributes = attributes}, name, 3),
                  Verdict::kNotChecked)
            << attributes << name;
        const Target broken{.before = before, .version = 9, .attributes = attributes};
        EXPECT_EQ(verdict(broken, name, 3), attributes == 0 ? Verdict::kFail : Verdict::kNotChecked)
            << attributes << name;
      }
}

}  // namespace
}  // namespace hepcheck::hdf5::attribute_references
