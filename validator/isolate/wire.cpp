#include "validator/isolate/wire.h"

#include <concepts>
#include <cstring>
#include <type_traits>

namespace hepcheck::isolate {

namespace {

// The parts of each kind of report, for both directions. The bindings name every member, so a
// new member does not compile until it is sent too.
template <class T, class U>
concept Some = std::same_as<std::remove_const_t<T>, U>;

void parts(auto& archive, Some<Finding> auto& value) {
  auto& [object, attribute, where, observed, expected, hint, witness, more, severity, known] =
      value;
  archive(object, attribute, where, observed, expected, hint, witness, more, severity, known);
}
void parts(auto& archive, Some<ClauseResult> auto& value) {
  auto& [clause, verdict, severity, reason, examined, findings, suppressed, skipped,
         suppressed_known] = value;
  archive(clause, verdict, severity, reason, examined, findings, suppressed, skipped,
          suppressed_known);
}
void parts(auto& archive, Some<Spread::Cell> auto& value) {
  auto& [at, count] = value;
  archive(at, count);
}
void parts(auto& archive, Some<MissingCells> auto& value) {
  auto& [rows_per_cell, missing] = value;
  archive(rows_per_cell, missing);
}
void parts(auto& archive, Some<IndexMap> auto& value) {
  auto& [kind, path, compared, reason, unit, differences, fill_tail, nan_tail] = value;
  archive(kind, path, compared, reason, unit, differences, fill_tail, nan_tail);
}
void parts(auto& archive, Some<ColumnShape> auto& value) {
  auto& [name, datatype, extent, chunk_rows, chunks, indexes, missing, maps] = value;
  archive(name, datatype, extent, chunk_rows, chunks, indexes, missing, maps);
}
void parts(auto& archive, Some<TableShape> auto& value) {
  auto& [nrows, width, columns, categories, indexes] = value;
  archive(nrows, width, columns, categories, indexes);
}
void parts(auto& archive, Some<TableReport> auto& value) {
  auto& [path, verdict, reason, notes, shape, clauses] = value;
  archive(path, verdict, reason, notes, shape, clauses);
}
void parts(auto& archive, Some<Error> auto& value) {
  auto& [context, cause] = value;
  archive(context, cause);
}
void parts(auto& archive, Some<FileReport> auto& value) {
  auto& [path, error, stop, unreadable, tables] = value;  // stop: the parent knows; tables: apart
  archive(path, error, unreadable);
}
void parts(auto& archive, Some<Stop> auto& value) {
  auto& [cause, name, stage, object] = value;
  archive(cause, name, stage, object);
}

constexpr Severity last_of(Severity) { return Severity::kError; }
constexpr StopCause last_of(StopCause) { return StopCause::kExit; }
constexpr Verdict last_of(Verdict) { return Verdict::kNotChecked; }
constexpr TableVerdict last_of(TableVerdict) { return TableVerdict::kUnchecked; }
constexpr IndexMap::Unit last_of(IndexMap::Unit) { return IndexMap::Unit::kElement; }

class Writer {
 public:
  Writer(const Specification& spec, Common& common) : spec_(spec), common_(common) {}

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
  void put(const Clause* clause) { put(static_cast<std::uint64_t>(clause - spec_.clauses.data())); }
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
    const bool known = results.common() == common_;
    put(std::uint64_t{known});
    if (!known) {
      common_ = results.common();
      put(common_ ? *common_ : std::vector<ClauseResult>{});
    }
    put(results.own().size());
    for (const auto& [at, result] : results.own()) {
      put(std::uint64_t{at});
      put(result);
    }
  }
  template <class T>
    requires std::is_class_v<T>
  void put(const T& value) {
    parts(*this, value);
  }

  const Specification& spec_;
  Common& common_;
  std::string bytes_{};
};

class Reader {
 public:
  Reader(std::string_view bytes, const Specification& spec, Common& common)
      : rest_(bytes), spec_(spec), common_(common) {}

  void operator()(auto&... values) { (get(values), ...); }
  bool complete() const { return good_ && rest_.empty(); }

 private:
  void get(std::uint64_t& value) {
    value = 0;
    if (rest_.size() < sizeof value) return fail();
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
  }
  // A number up to `last`; 0 after trouble.
  std::uint64_t number(std::uint64_t last) {
    std::uint64_t value = 0;
    get(value);
    if (value <= last) return value;
    fail();
    return 0;
  }
  void get(bool& value) { value = number(1) == 1; }
  void get(std::string& text) {
    const std::uint64_t size = number(rest_.size());
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
    // No Spread has an uneven width, or cells out of order.
    if (spread.width() != width || spread.cells() != cells) fail();
  }
  void get(const Clause*& clause) { clause = &spec_.clauses[number(spec_.clauses.size() - 1)]; }
  template <class T>
  void get(std::optional<T>& value) {
    if (number(1) == 1) get(value.emplace());
  }
  template <class T>
  void get(std::vector<T>& values) {
    // Every element takes eight bytes or more.
    const std::uint64_t count = number(rest_.size() / sizeof(std::uint64_t));
    for (std::uint64_t i = 0; i < count && good_; ++i) get(values.emplace_back());
  }
  void get(ClauseResults& results) {
    if (number(1) == 0) {
      std::vector<ClauseResult> all;
      get(all);
      common_ = std::make_shared<const std::vector<ClauseResult>>(std::move(all));
    }
    ClauseResults::Own own;
    const std::uint64_t most = common_ ? common_->size() : 0;
    const std::uint64_t count = number(most);
    for (std::uint64_t next = 0; own.size() < count && good_;) {
      const std::uint64_t at = number(most - 1);
      if (at < next) return fail();
      next = at + 1;
      get(own.emplace_back(at, ClauseResult{}).second);
    }
    results = ClauseResults(common_, std::move(own));
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
  const Specification& spec_;
  Common& common_;
  bool good_ = true;
};

template <class T>
std::string written(const T& value, const Specification& spec, Common& common) {
  Writer writer(spec, common);
  parts(writer, value);
  return std::move(writer).bytes();
}

template <class T>
std::optional<T> read(std::string_view bytes, const Specification& spec, Common& common) {
  std::optional<T> value(std::in_place);
  Reader reader(bytes, spec, common);
  parts(reader, *value);
  if (!reader.complete()) value.reset();
  return value;
}

}  // namespace

std::string to_wire(const TableReport& report, const Specification& spec, Common& common) {
  return written(report, spec, common);
}
std::string to_wire(const FileReport& report, const Specification& spec) {
  Common none;
  return written(report, spec, none);
}
std::string to_wire(const Stop& stop, const Specification& spec) {
  Common none;
  return written(stop, spec, none);
}
std::optional<TableReport> table_from_wire(std::string_view bytes, const Specification& spec,
                                           Common& common) {
  return read<TableReport>(bytes, spec, common);
}
std::optional<FileReport> file_from_wire(std::string_view bytes, const Specification& spec) {
  Common none;
  return read<FileReport>(bytes, spec, none);
}
std::optional<Stop> stop_from_wire(std::string_view bytes, const Specification& spec) {
  Common none;
  return read<Stop>(bytes, spec, none);
}

}  // namespace hepcheck::isolate
