#include "validator/isolate/wire.h"

#include <algorithm>
#include <concepts>
#include <cstring>
#include <type_traits>

#include "validator/isolate/report_parts.h"
#include "validator/shorten.h"

namespace hepcheck::isolate {

namespace {

constexpr Severity last_of(Severity) { return Severity::kError; }
constexpr StopCause last_of(StopCause) { return StopCause::kExit; }
constexpr ChosenBy last_of(ChosenBy) { return ChosenBy::kSign; }
constexpr LeftOut last_of(LeftOut) { return LeftOut::kDepth; }
constexpr Verdict last_of(Verdict) { return Verdict::kNotChecked; }
constexpr SubjectVerdict last_of(SubjectVerdict) { return SubjectVerdict::kUnchecked; }

class Writer {
 public:
  explicit Writer(ClauseResults& base) : base_(base) {}

  void operator()(const auto&... values) { (put(values), ...); }
  std::string bytes() && { return std::move(bytes_); }

 private:
  void put(std::uint64_t value) {
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    bytes_.append(raw, sizeof raw);
  }
  void put(const std::string& text) {
    put(text.size());
    bytes_ += text;
  }
  template <class Enum>
    requires std::is_enum_v<Enum>
  void put(Enum value) {
    put(static_cast<std::uint64_t>(value));
  }
  void put(const Spread& spread) {
    put(spread.width());
    put(spread.cells());
  }
  // The specification is the first part of a subject; the parts after it refer to it.
  void put(const Specification* spec) {
    spec_ = spec;
    put(static_cast<std::uint64_t>(spec - all_specifications().data()));
  }
  void put(const Clause* clause) {
    put(static_cast<std::uint64_t>(clause - spec_->clauses.data()));
  }
  template <class T>
  void put(const std::optional<T>& value) {
    put(std::uint64_t{value.has_value()});
    if (value) put(*value);
  }
  template <class T>
  void put(const std::vector<T>& values) {
    put(values.size());
    for (const T& value : values) put(value);
  }
  void put(const ClauseResults& results) {
    // Results that differ much, or belong to another specification, are sent completely: the
    // receiver never copies anything that was not sent.
    ClauseResults::Differences differences = results.differences_from(base_);
    const bool fresh = base_.empty() || base_.size() != results.size() ||
                       base_[0].clause != results[0].clause ||
                       differences.size() > base_.size() / 4;
    if (fresh) {
      base_ = {};
      differences = results.differences_from(base_);
    }
    put(std::uint64_t{fresh});
    put(differences.size());
    for (const auto& [at, result] : differences) {
      put(std::uint64_t{at});
      put(result);
    }
    // The base of the receiver, which is that of later results too if they share these.
    if (fresh) base_ = results.merged();
  }
  template <class T>
    requires std::is_class_v<T>
  void put(const T& value) {
    parts(*this, value);
  }

  const Specification* spec_ = nullptr;
  ClauseResults& base_;
  std::string bytes_{};
};

class WireReader {
 public:
  WireReader(std::string_view bytes, ClauseResults& base) : rest_(bytes), base_(base) {}

  void operator()(auto&... values) { (get(values), ...); }
  bool complete() const { return good_ && rest_.empty(); }

 private:
  void get(std::uint64_t& value) {
    value = 0;
    if (rest_.size() < sizeof value) return fail();
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
  }
  // A number up to `last`; 0 after an error.
  std::uint64_t number(std::uint64_t last) {
    std::uint64_t value = 0;
    get(value);
    if (value <= last) return value;
    fail();
    return 0;
  }
  void get(bool& value) { value = number(1) == 1; }
  void get(std::string& text) {
    const std::uint64_t size = number(std::min(rest_.size(), kLongestText));
    if (size > rest_.size()) return fail();
    text = rest_.substr(0, size);
    rest_.remove_prefix(size);
  }
  template <class Enum>
    requires std::is_enum_v<Enum>
  void get(Enum& value) {
    value = static_cast<Enum>(number(static_cast<std::uint64_t>(last_of(Enum{}))));
  }
  void get(Spread& spread) {
    std::uint64_t width = 0;
    std::vector<Spread::Cell> cells;
    get(width);
    get(cells);
    spread = Spread::of(width, cells);
    // The cells of a Spread have equal widths and ascending positions.
    if (spread.width() != width || spread.cells() != cells) fail();
  }
  void get(const Specification*& spec) {
    spec = spec_ = &all_specifications()[number(all_specifications().size() - 1)];
  }
  void get(const Clause*& clause) {
    clause = spec_ ? &spec_->clauses[number(spec_->clauses.size() - 1)] : nullptr;
    if (!clause) fail();
  }
  bool is_ours(const Clause* clause) const {
    return spec_ && clause >= spec_->clauses.data() &&
           clause < spec_->clauses.data() + spec_->clauses.size();
  }
  // Keys become members of JSON objects.
  void get(std::vector<Figure>& figures) {
    constexpr std::uint64_t kMost = 16;
    constexpr std::string_view kKeyLetters = "abcdefghijklmnopqrstuvwxyz_";
    for (std::uint64_t count = number(kMost); count > 0 && good_; --count) {
      get(figures.emplace_back());
      const std::string& key = figures.back().key;
      if (key.empty() || key.size() > 32 || key.find_first_not_of(kKeyLetters) != key.npos) fail();
    }
  }
  template <class T>
  void get(std::optional<T>& value) {
    if (number(1) == 1) get(value.emplace());
  }
  template <class T>
  void get(std::vector<T>& values) {
    // Every element needs at least eight bytes.
    const std::uint64_t count = number(rest_.size() / sizeof(std::uint64_t));
    for (std::uint64_t i = 0; i < count && good_; ++i) get(values.emplace_back());
  }
  void get(ClauseResults& results) {
    if (number(1) == 1)
      base_ = {};
    else if (base_.empty() || !is_ours(base_[0].clause))
      return fail();
    // Every difference needs at least eight bytes. Few results differ from a base; without a base,
    // all do.
    const std::uint64_t most =
        base_.empty() ? rest_.size() / sizeof(std::uint64_t) : base_.size() / 4;
    const std::uint64_t count = number(most);
    ClauseResults::Differences differences;
    for (std::uint64_t next = 0; differences.size() < count && good_;) {
      const std::uint64_t at = number(base_.empty() ? next : base_.size() - 1);
      if (at < next) return fail();
      next = at + 1;
      get(differences.emplace_back(at, ClauseResult{}).result);
    }
    if (!good_) return;
    results = ClauseResults::with(base_, std::move(differences));
    base_ = results.shared();
  }
  template <class T>
    requires std::is_class_v<T>
  void get(T& value) {
    parts(*this, value);
  }
  void fail() {
    good_ = false;
    rest_ = {};
  }

  std::string_view rest_;
  const Specification* spec_ = nullptr;
  ClauseResults& base_;
  bool good_ = true;
};

template <class T>
std::string written(const T& value, ClauseResults& base) {
  Writer writer(base);
  parts(writer, value);
  return std::move(writer).bytes();
}

template <class T>
std::optional<T> read(std::string_view bytes, ClauseResults& base) {
  std::optional<T> value(std::in_place);
  WireReader reader(bytes, base);
  parts(reader, *value);
  if (!reader.complete()) value.reset();
  return value;
}

}  // namespace

std::string to_wire(const SubjectReport& report, ClauseResults& base) {
  return written(report, base);
}
std::string to_wire(const FileReport& report) {
  ClauseResults none;
  return written(report, none);
}
std::string to_wire(const Stop& stop) {
  ClauseResults none;
  return written(stop, none);
}
std::optional<SubjectReport> subject_from_wire(std::string_view bytes, ClauseResults& base) {
  std::optional<SubjectReport> report = read<SubjectReport>(bytes, base);
  if (report && !(is_kind(report->kind) && std::ranges::all_of(report->scope, is_kind)))
    report.reset();
  return report;
}
std::optional<FileReport> file_from_wire(std::string_view bytes) {
  ClauseResults none;
  return read<FileReport>(bytes, none);
}
std::optional<Stop> stop_from_wire(std::string_view bytes) {
  ClauseResults none;
  return read<Stop>(bytes, none);
}

}  // namespace hepcheck::isolate
