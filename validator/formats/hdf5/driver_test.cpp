// What a file says about the driver that distributes it over several files: any map from kinds of
// data to members, and the members that follow from it.
#include "validator/formats/hdf5/driver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "validator/formats/hdf5/testing/zeros.h"

namespace hepcheck::hdf5::drivers {
namespace {

using testing::Zeros;

constexpr std::size_t kKinds = 6;
using Map = std::array<unsigned, kKinds>;

// 0 stands for the kind itself.
unsigned member_of(const Map& map, std::size_t kind) {
  return map[kind] == 0 ? static_cast<unsigned>(kind + 1) : map[kind];
}

// Each kind that receives data keeps its own.
bool is_sound(const Map& map) {
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    const unsigned member = member_of(map, kind);
    if (member > kKinds || member_of(map, member - 1) != member) return false;
  }
  return true;
}

// In the order in which they first occur.
std::vector<unsigned> members_of(const Map& map) {
  std::vector<unsigned> made;
  for (std::size_t kind = 0; kind < kKinds; ++kind)
    if (!std::ranges::contains(made, member_of(map, kind))) made.push_back(member_of(map, kind));
  return made;
}

struct Findings {
  std::size_t map = 0, members = 0;

  friend bool operator==(const Findings&, const Findings&) = default;
};

Findings findings(const Map& map, const std::vector<std::uint64_t>& starts, std::size_t names) {
  std::string content;
  for (const unsigned each : map) content += number(each, 1);
  content += number(0, 2);
  for (const std::uint64_t each : starts) content += number(each, 8) + number(each + 999, 8);
  for (std::size_t i = 0; i < names; ++i) content += number('a' + i, 8);
  const std::string message = number(0, 1) + "NCSAmult" + number(content.size(), 2) + content;
  Zeros zeros;
  const Driver driver =
      read_driver_message({std::as_bytes(std::span(message)), {"OHDR", 0, 0}}, zeros.file);
  EXPECT_TRUE(driver.several_files());
  return {zeros.found("h5-driver-multi-map").size(), zeros.found("h5-driver-multi-members").size()};
}

TEST(Drivers, HaveAMemberForEachKindOfData) {
  std::mt19937_64 random(20261128);
  std::size_t sound = 0;
  for (int run = 0; run < 3000; ++run) {
    Map map{};
    for (unsigned& each : map) each = static_cast<unsigned>(random() % (run % 3 == 0 ? 3 : 8));
    // Maps of which every kind keeps its data, except for one.
    if (run % 3 == 1) map = {}, map[random() % kKinds] = static_cast<unsigned>(random() % 8);
    const std::size_t members = members_of(map).size();
    std::vector<std::uint64_t> starts;
    for (std::size_t i = 0; i < members; ++i) starts.push_back(1000 * i);
    const bool good = is_sound(map);
    sound += good;
    ASSERT_EQ(findings(map, starts, members), (Findings{good ? 0u : 1u, 0})) << run;
    if (!good) continue;
    // A member or a name less, a start of another member, and one that is not 0.
    ASSERT_EQ(findings(map, starts, members - 1), (Findings{0, 1})) << run;
    const std::size_t changed = random() % members;
    std::vector<std::uint64_t> other = starts;
    other[changed] = changed == 0 ? 1 : starts[random() % changed];
    ASSERT_EQ(findings(map, other, members), (Findings{0, 1})) << run;
    other = starts;
    other.pop_back();
    ASSERT_EQ(findings(map, other, 0), (Findings{0, 1})) << run;
  }
  EXPECT_GT(sound, 200u);
}

}  // namespace
}  // namespace hepcheck::hdf5::drivers
