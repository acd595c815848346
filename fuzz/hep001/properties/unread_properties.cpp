// An unreadable part may be correct, so it violates nothing; and it may be wrong, so the table must
// not pass. Hides each attribute and each object of conformant tables in turn.
#include <gtest/gtest.h>

#include <format>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/hep001/grammar/judge.h"
#include "fuzz/hep001/grammar/model.h"
#include "fuzz/hep001/properties/random_values.h"
#include "validator/formats/hep001/judge.h"

namespace hepcheck::hep001::grammar {

namespace {

TestTable table_from(std::uint64_t seed, bool newer) {
  Noise choices(seed * 0x9e3779b97f4a7c15u);
  TestTable table = random_table(choices);
  if (newer) make_newer(table, choices);
  return table;
}

// Neither an error nor a pass.
void expect_undecided(TestTable& table, bool newer, const std::string& what) {
  const Specification& spec = newer ? newest() : oldest();
  std::size_t unchecked = 0;
  for (const ClauseResult& result :
       examine(table.finish(spec), table.values, spec, {.jobs = 1}).clauses) {
    unchecked += result.verdict == Verdict::kNotChecked && result.clause->mandatory();
    EXPECT_FALSE(result.verdict == Verdict::kFail && result.severity == Severity::kError)
        << what << ": " << result.clause->id << ": " << result.findings[0].object << ": "
        << result.findings[0].observed;
  }
  EXPECT_GT(unchecked, 0u) << what;
}

// Calls make(table) with tables of both revisions, built again each time.
void for_tables(std::uint64_t count, const std::function<void(std::uint64_t, bool)>& use) {
  for (std::uint64_t seed = 1; seed <= count && !testing::Test::HasFailure(); ++seed)
    for (const bool newer : {false, true}) use(seed, newer);
}

// Calls use(path, name) for every attribute of every object.
void for_attributes(std::uint64_t seed, bool newer,
                    const std::function<void(const std::string&, const std::string&)>& use) {
  TestTable table = table_from(seed, newer);
  for (const std::string& path : table.objects())
    for (const auto& [name, attribute] : table.attributes(path)) use(path, name);
}

TEST(Unread, UnlistedAttributes) {
  for_tables(30, [](std::uint64_t seed, bool newer) {
    for_attributes(seed, newer, [&](const std::string& path, const std::string& name) {
      TestTable table = table_from(seed, newer);
      table.erase(path, name);
      table.attributes_unreadable(path) = "cannot be listed";
      expect_undecided(table, newer, std::format("{} {}@{}", seed, path, name));
    });
  });
}

TEST(Unread, ListedAttributes) {
  for_tables(30, [](std::uint64_t seed, bool newer) {
    for_attributes(seed, newer, [&](const std::string& path, const std::string& name) {
      TestTable table = table_from(seed, newer);
      Attribute& attribute = table.attribute(path, name);
      attribute.unreadable = "cannot be read";
      attribute.bytes.clear();
      attribute.strings.clear();
      attribute.references.clear();
      expect_undecided(table, newer, std::format("{} {}@{}", seed, path, name));
    });
  });
}

TEST(Unread, UnlistedLinks) {
  for_tables(60, [](std::uint64_t seed, bool newer) {
    TestTable whole = table_from(seed, newer);
    for (const std::string& path : whole.objects()) {
      if (path.empty()) continue;
      TestTable table = table_from(seed, newer);
      const std::size_t slash = path.rfind('/');
      table.group(slash == std::string::npos ? "" : path.substr(0, slash)).unreadable =
          "cannot be listed";
      table.remove(path);
      expect_undecided(table, newer, std::format("{} {}", seed, path));
    }
  });
}

TEST(Unread, Datasets) {
  for_tables(60, [](std::uint64_t seed, bool newer) {
    TestTable whole = table_from(seed, newer);
    for (const std::string& path : whole.objects()) {
      if (!whole.is_dataset(path)) continue;
      TestTable table = table_from(seed, newer);
      Dataset& dataset = table.dataset(path);
      dataset = {.name = dataset.name, .path = dataset.path, .token = dataset.token};
      dataset.unreadable = table.child(path).unreadable = "cannot be opened";
      expect_undecided(table, newer, std::format("{} {}", seed, path));
    }
  });
}

// The object is of an unknown kind.
TEST(Unread, Objects) {
  for_tables(60, [](std::uint64_t seed, bool newer) {
    TestTable whole = table_from(seed, newer);
    for (const std::string& path : whole.objects()) {
      if (path.empty()) continue;
      TestTable table = table_from(seed, newer);
      Child& child = table.child(path);
      child.dataset.reset();
      child.group.reset();
      child.object = ObjectKind::kUnknown;
      child.unreadable = "cannot be opened";
      expect_undecided(table, newer, std::format("{} {}", seed, path));
    }
  });
}

}  // namespace

}  // namespace hepcheck::hep001::grammar
