#include "conformance/suite/suites.h"

#include <algorithm>

namespace hepcheck {

// The suite of HEP001 writes and edits tables with libhdf5.
#ifndef HEPCHECK_WITHOUT_LIBHDF5
namespace hep001::suite {
extern const hepcheck::suite::Suite kSuite;
}
#endif
namespace arrow::suite {
extern const hepcheck::suite::Suite kSuite;
}

namespace hdf5::suite {
extern const hepcheck::suite::Suite kSuite;
}

namespace rntuple::suite {
extern const hepcheck::suite::Suite kSuite;
}

namespace suite {

std::span<const Suite* const> all_suites() {
  static constexpr const Suite* kSuites[] = {
#ifndef HEPCHECK_WITHOUT_LIBHDF5
      &hep001::suite::kSuite,
#endif
      &arrow::suite::kSuite, &hdf5::suite::kSuite, &rntuple::suite::kSuite};
  return kSuites;
}

const Suite* find_suite(std::string_view format) {
  const auto at = std::ranges::find(all_suites(), format, &Suite::format);
  return at == all_suites().end() ? nullptr : *at;
}

std::vector<std::string_view> judged_clauses(const Specification& spec) {
  std::set<std::string_view> ids;
  if (const Suite* suite = find_suite(spec.format)) suite->add_judged(ids);
  std::erase_if(ids, [&](std::string_view id) { return !spec.find(id); });
  return {ids.begin(), ids.end()};
}

}  // namespace suite
}  // namespace hepcheck
