#include "validator/isolate/wire.h"

#include <algorithm>
#include <concepts>
#include <cstring>
#include <type_traits>

#include "validator/archive.h"
#include "validator/isolate/report_parts.h"
#include "validator/shorten.h"

namespace hepcheck {

// Found by the namespace of the enumeration.
constexpr Severity last_of(Severity) { return Severity::kError; }
constexpr StopCause last_of(StopCause) { return StopCause::kExit; }
constexpr ChosenBy last_of(ChosenBy) { return ChosenBy::kSign; }
constexpr LeftOut last_of(LeftOut) { return LeftOut::kDepth; }
constexpr Verdict last_of(Verdict) { return Verdict::kNotChecked; }
constexpr SubjectVerdict last_of(SubjectVerdict) { return SubjectVerdict::kUnchecked; }

namespace isolate {

namespace {

class Writer : public ArchiveWriter {
 public:
  using ArchiveWriter::put;
  explicit Writer(ClauseResults& base) : base_(base) {}

  // The specification is the first part of a subject; the parts after it refer to it.
  void put(const Specification* spec) {
    spec_ = spec;
    put(static_cast<std::uint64_t>(spec - all_specifications().data()));
  }
  void put(const Clause* clause) {
    put(static_cast<std::uint64_t>(clause - spec_->clauses.data()));
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

 private:
  const Specification* spec_ = nullptr;
  ClauseResults& base_;
};

class WireReader : public ArchiveReader {
 public:
  using ArchiveReader::get;
  WireReader(std::string_view bytes, ClauseResults& base) : ArchiveReader(bytes), base_(base) {}

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
    for (std::uint64_t count = number(kMost); count > 0 && good(); --count) {
      get(figures.emplace_back());
      const std::string& key = figures.back().key;
      if (key.empty() || key.size() > 32 || key.find_first_not_of(kKeyLetters) != key.npos) fail();
    }
  }
  void get(FileMap& map) {
    parts(*this, map);
    if (!map.consistent()) fail();
  }
  void get(ClauseResults& results) {
    if (number(1) == 1)
      base_ = {};
    else if (base_.empty() || !is_ours(base_[0].clause))
      return fail();
    // Every difference needs at least eight bytes. Few results differ from a base; without a base,
    // all do.
    const std::uint64_t most = base_.empty() ? rest() / sizeof(std::uint64_t) : base_.size() / 4;
    const std::uint64_t count = number(most);
    ClauseResults::Differences differences;
    for (std::uint64_t next = 0; differences.size() < count && good();) {
      const std::uint64_t at = number(base_.empty() ? next : base_.size() - 1);
      if (at < next) return fail();
      next = at + 1;
      get(differences.emplace_back(at, ClauseResult{}).result);
    }
    if (!good()) return;
    results = ClauseResults::with(base_, std::move(differences));
    base_ = results.shared();
  }

 private:
  const Specification* spec_ = nullptr;
  ClauseResults& base_;
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

}  // namespace isolate

}  // namespace hepcheck
