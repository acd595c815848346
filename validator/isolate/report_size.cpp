#include "validator/isolate/report_size.h"

#include <optional>
#include <string>
#include <vector>

#include "validator/isolate/report_parts.h"

namespace hepcheck::isolate {

namespace {

// Adds up the memory that values own in addition to their own size.
class Sizer {
 public:
  void operator()(const auto&... values) { (add(values), ...); }
  std::uint64_t bytes() const { return bytes_; }

  void add(const std::string& text) {
    if (text.capacity() > std::string().capacity()) bytes_ += text.capacity() + 1;
  }
  template <class T>
  void add(const std::optional<T>& value) {
    if (value) add(*value);
  }
  template <class T>
  void add(const std::vector<T>& values) {
    bytes_ += values.capacity() * sizeof(T);
    for (const T& value : values) add(value);
  }
  void add(const Spread& spread) { bytes_ += spread.cells().capacity() * sizeof(Spread::Cell); }
  void add(const ClauseResults& results) {
    for (const auto& own : results.differences_from(results.shared())) {
      bytes_ += sizeof own;
      add(own.result);
    }
  }
  template <class T>
    requires std::is_class_v<T>
  void add(const T& value) {
    parts(*this, value);
  }
  template <class T>
    requires std::is_scalar_v<T>
  void add(T) {}

 private:
  std::uint64_t bytes_ = 0;
};

}  // namespace

std::uint64_t bytes_held(const FileReport& report) {
  Sizer sizer;
  // Members that parts() omits are sent separately.
  const auto& [path, stamp, error, stop, unreadable, subjects, lacked_memory] = report;
  sizer(path, error, stop, unreadable, subjects);
  return sizeof report + sizer.bytes();
}

std::uint64_t bytes_held(const ClauseResults& results) {
  Sizer sizer;
  for (const ClauseResult& result : results) sizer.add(result);
  return sizer.bytes() + results.size() * sizeof(ClauseResult);
}

}  // namespace hepcheck::isolate
