#include "validator/formats/hep001/repair/repair.h"

#include <algorithm>
#include <format>
#include <map>
#include <memory>
#include <tuple>

#include "validator/formats/hep001/derive/build_index.h"
#include "validator/formats/hep001/index_contents.h"
#include "validator/formats/hep001/judge.h"
#include "validator/formats/hep001/libhdf5/apply_step.h"
#include "validator/formats/hep001/libhdf5/error.h"
#include "validator/formats/hep001/libhdf5/library_file.h"
#include "validator/formats/hep001/libhdf5/write_index.h"
#include "validator/formats/hep001/reader/read_tables.h"
#include "validator/formats/hep001/repair/cases.h"
#include "validator/formats/hep001/repair/code.h"
#include "validator/formats/hep001/storage/limited_values.h"
#include "validator/worker_position.h"

namespace hepcheck::hep001 {

namespace {

// Rounds of repairs. Every violation is handled once, so this is reached by no table.
constexpr int kMostRounds = 1000;
constexpr std::uint64_t kMostDistinct = std::uint64_t{1} << 20;  // values of a bitmap

// A table as it is now, and the file that it was read from.
struct Reading {
  libhdf5::File file;
  Table table{};
  std::unique_ptr<libhdf5::LibraryFile> objects{};
  std::unique_ptr<LimitedValues> values{};
};

// A violation, by its place.
using Violation = std::tuple<std::string, std::string, std::string, std::string>;
Violation violation_of(std::string_view clause, const Finding& finding) {
  return {std::string(clause), finding.object, finding.attribute, finding.where};
}

struct Reason {
  std::string why{};
  std::vector<std::string> options{};
};

class TableRepair {
 public:
  TableRepair(Rewrite& copy, const std::string& name, const std::string& path,
              const RepairRequest& request)
      : copy_(copy), name_(name), path_(path), request_(request) {}

  Result<RepairedSubject> run() {
    {
      // The library shares what it knows of a file between all that have it open, so nothing keeps
      // it open for long.
      const Result<std::unique_ptr<Reading>> first = read();
      if (!first) return std::unexpected(first.error());
      spec_ = find_specification((*first)->table.revision->spec);
      made_ = {.kind = "table", .path = (*first)->table.path(), .spec = std::string(spec_->id)};
    }
    for (const auto stage : {&TableRepair::structure, &TableRepair::contents, &TableRepair::sign,
                             &TableRepair::conclude})
      if (const Result<void> done = (this->*stage)(); !done) return std::unexpected(done.error());
    return std::move(made_);
  }

 private:
  Result<std::unique_ptr<Reading>> read() const {
    auto file = libhdf5::File::open_descriptor(copy_.descriptor(), name_, request_.file.limits);
    if (!file) return std::unexpected(file.error());
    auto made = std::make_unique<Reading>(std::move(*file));
    made->objects = std::make_unique<libhdf5::LibraryFile>(made->file.context());
    Result<Table> table = read_table_at(*made->objects, path_);
    if (!table) return std::unexpected(table.error());
    made->table = std::move(*table);
    const Revision& revision = request_.to     ? revision_of(*request_.to)
                               : spec_         ? revision_of(*spec_)
                               : request_.spec ? revision_of(*request_.spec)
                                               : *revision_by_signs(made->table.group).revision;
    assign_roles(made->table, revision);
    made->values = std::make_unique<LimitedValues>(made->objects->values(), request_.file.limits,
                                                   made->file.bytes());
    return made;
  }

  SubjectReport judge(Reading& now, Depth depth) const {
    ExamineOptions options = request_.file.examine;
    options.depth = depth;
    options.only.clear();
    options.max_findings = 1'000'000;
    options.describe_columns = options.describe_answers = false;
    return examine(now.table, *now.values, *spec_, options);
  }

  bool selected(const Clause& clause) const { return is_selected(request_.only, clause); }

  // Calls use(clause, finding) for every violation that counts, in the order of the text.
  template <class Use>
  void for_each_violation(const SubjectReport& report, Use use) const {
    for (const ClauseResult& result : report.clauses) {
      if (result.verdict != Verdict::kFail || result.severity < Severity::kWarning) continue;
      for (const Finding& finding : result.findings)
        if (finding.severity >= Severity::kWarning) use(*result.clause, finding);
    }
  }

  // --- steps

  struct Chosen {
    const Clause* clause;
    Finding finding;
    RepairPlan plan;
  };

  // The plans for the first clause that has any; the reasons for what is not repaired are kept.
  std::vector<Chosen> choose(Reading& now, const SubjectReport& report) {
    std::vector<Chosen> chosen;
    std::set<std::string> places;
    for_each_violation(report, [&](const Clause& clause, const Finding& finding) {
      if (!chosen.empty() && chosen.front().clause != &clause) return;
      const Repair* repair = selected(clause) ? find_repair(clause.id) : nullptr;
      if (!repair || handled_.contains(violation_of(clause.id, finding))) return;
      RepairPlan plan = repair->plan({.table = now.table,
                                      .finding = finding,
                                      .decisions = request_.decisions,
                                      .values = *now.values});
      if (plan.index) return;
      if (plan.steps.empty()) {
        reasons_[violation_of(clause.id, finding)] = {plan.why, plan.options};
        return;
      }
      handled_.insert(violation_of(clause.id, finding));
      // One plan corrects all elements of an attribute.
      if (!finding.attribute.empty() && !places.insert(place_of(finding)).second) return;
      chosen.push_back({&clause, finding, std::move(plan)});
    });
    return chosen;
  }

  // Whether a dataset may be created again: the reason if not.
  std::optional<std::string> objection(const libhdf5::File& file, const Table& table,
                                       const RepairPlan& plan) const {
    for (const Step& step : plan.steps) {
      if (step.kind != Step::Kind::kRecreate) continue;
      if (libhdf5::hard_links(file, step.token) != 1)
        return "the dataset has several names, and the others would keep the old one";
      if (auto reason = libhdf5::referred_elsewhere(file, step.token, {table.group.token}))
        return "it would have to be created again, and " + *reason;
    }
    return std::nullopt;
  }

  // References of the table to what was created again lead to its path.
  std::vector<Step> completed(const RepairPlan& plan, const Table& table) const {
    std::vector<Step> steps = plan.steps;
    const Attribute* list = table.attribute("INDEX_COLUMNS");
    for (const Step& step : plan.steps) {
      if (step.kind != Step::Kind::kRecreate || !list ||
          !std::ranges::contains(list->references, step.token, &Reference::token))
        continue;
      Attribute again = reference_list("INDEX_COLUMNS", list->references);
      for (Reference& each : again.references)
        if (each.token == step.token) each.token = {}, each.path = step.path;
      if (list->space.one_dimensional()) steps.push_back(put_attribute(table.path(), again));
    }
    return steps;
  }

  Result<void> apply(const std::vector<Chosen>& chosen, const Table& table) {
    Result<libhdf5::File> file =
        libhdf5::File::open_for_writing(copy_, name_, request_.file.limits);
    if (!file) return std::unexpected(file.error());
    for (const Chosen& each : chosen) {
      const Violation key = violation_of(each.clause->id, each.finding);
      if (auto reason = objection(*file, table, each.plan)) {
        reasons_[key] = {*reason, {}};
        continue;
      }
      const std::vector<Step> steps = completed(each.plan, table);
      Result<void> done;
      for (const Step& step : steps)
        if (done = libhdf5::apply_step(*file, step); !done) break;
      if (!done) {
        reasons_[key] = {"the HDF5 library refuses: " + done.error().cause, {}};
        continue;
      }
      Code code = code_of(steps);
      made_.changes.push_back({.clause = std::string(each.clause->id),
                               .object = each.finding.object,
                               .attribute = each.finding.attribute,
                               .act = each.plan.act,
                               .from = each.plan.from,
                               .to = each.plan.to,
                               .code = std::move(code.python),
                               .c = std::move(code.c)});
    }
    if (!file->close()) return failure(name_, "the copy cannot be written");
    return {};
  }

  // Steps until no clause has any.
  Result<void> settle(Depth depth) {
    for (int round = 0; round < kMostRounds; ++round) {
      now_at(Stage::kChecking, path_);
      Result<std::unique_ptr<Reading>> now = read();
      if (!now) return std::unexpected(now.error());
      const std::vector<Chosen> chosen = choose(**now, judge(**now, depth));
      if (chosen.empty()) return {};
      // The file is closed for reading before it is opened for writing.
      Table table;
      table.group = (*now)->table.group;
      assign_roles(table, *(*now)->table.revision);
      now->reset();
      if (const Result<void> done = apply(chosen, table); !done) return done;
    }
    return failure(path_, "the repairs do not come to an end");
  }
  Result<void> structure() { return settle(Depth::kStructure); }

  // --- indexes

  struct Broken {
    std::string path{}, clause{}, why{};
    bool only_contents = true;  // its datasets and attributes are right
  };

  // The indexes that are to be built again, in the order in which the text finds them.
  std::vector<Broken> broken_indexes(Reading& now, const SubjectReport& report) {
    std::vector<Broken> broken;
    const auto add = [&](const SearchIndex& index, std::string clause, std::string why,
                         bool contents) {
      const auto known = std::ranges::find(broken, index.data->path, &Broken::path);
      if (known != broken.end()) {
        known->only_contents &= contents;
      } else if (!tried_.contains(index.data->path)) {
        broken.push_back({index.data->path, std::move(clause), std::move(why), contents});
      }
    };
    const auto structural = violations_of_structure(now);
    for_each_violation(report, [&](const Clause& clause, const Finding& finding) {
      const Repair* repair = selected(clause) ? find_repair(clause.id) : nullptr;
      const SearchIndex* index = index_at(now.table, finding.object);
      if (!repair || !index) return;
      const RepairPlan plan = repair->plan({.table = now.table,
                                            .finding = finding,
                                            .decisions = request_.decisions,
                                            .values = *now.values});
      if (plan.index)
        add(*index, std::string(clause.id), finding.observed,
            !structural.contains(index->data->path));
    });
    if (request_.only.empty() && now.table.revision->tokens)
      for (const SearchIndex& index : now.table.indexes)
        if (index.gate.state == IndexGate::State::kStale && index.kind != IndexKind::kUnknown)
          add(index, "", index.gate.text(), !structural.contains(index.data->path));
    return broken;
  }

  std::set<std::string> violations_of_structure(Reading& now) const {
    std::set<std::string> paths;
    for_each_violation(judge(now, Depth::kStructure), [&](const Clause&, const Finding& finding) {
      if (const SearchIndex* index = index_at(now.table, finding.object))
        paths.insert(index->data->path);
    });
    return paths;
  }

  IndexOptions index_options(const SearchIndex& index) const {
    IndexOptions options{.file = request_.file, .max_values = kMostDistinct};
    options.builder = request_.builder;
    options.date = request_.date;
    const auto number = [&](const char* name) {
      const Attribute* attribute = index.data->attribute(name);
      return attribute ? only_number(*attribute) : std::nullopt;
    };
    const auto k = number("k"), bits = number("m_bits"), seed = number("seed");
    if (seed && *seed <= ~std::uint32_t{0}) options.seed = static_cast<std::uint32_t>(*seed);
    constexpr std::uint64_t kMostHashes = 65535, kMostBits = std::uint64_t{1} << 32;
    const bool usable = k && bits && seed && *k > 0 && *k <= kMostHashes && *bits >= 8 &&
                        *bits <= kMostBits && (*bits & (*bits - 1)) == 0 &&
                        *seed <= ~std::uint32_t{0};
    if (usable)
      options.bloom = BloomParameters{.k = static_cast<std::uint32_t>(*k),
                                      .m_bits = *bits,
                                      .seed = static_cast<std::uint32_t>(*seed)};
    return options;
  }

  // What takes the place of an index: one over each column that lists it. Nothing if it is dropped.
  struct Replacement {
    std::vector<std::pair<std::string, BuiltIndex>> built{};  // by the name of the column
    std::string dropped{};                                    // why
  };
  Replacement replacement(Reading& now, const SearchIndex& index) const {
    Replacement made;
    if (index.kind == IndexKind::kUnknown) made.dropped = "it belongs to no family";
    if (index.columns.empty()) made.dropped = "no column lists it";
    for (const std::size_t number : index.columns) {
      const Dataset& column = *now.table.columns[number].data;
      if (!made.dropped.empty()) break;
      if (auto refusal = index_refusal(index.kind, column.type, *now.table.revision)) {
        made.dropped = *refusal;
        break;
      }
      Result<BuiltIndex> contents =
          index_contents(index.kind, now.table, column, *now.values, index_options(index));
      if (!contents)
        made.dropped = "its contents cannot be computed: " + contents.error().cause;
      else
        made.built.emplace_back(column.name, std::move(*contents));
    }
    return made;
  }

  Result<void> rebuild(const Broken& broken) {
    tried_.insert(broken.path);
    Replacement wanted;
    {
      Result<std::unique_ptr<Reading>> now = read();
      if (!now) return std::unexpected(now.error());
      const SearchIndex* index = index_at((*now)->table, broken.path);
      if (!index) return {};  // it went with another one
      now_at(Stage::kValues, broken.path);
      wanted = replacement(**now, *index);
    }
    RepairChange change{.clause = broken.clause, .object = broken.path, .from = broken.why};
    Result<libhdf5::File> file =
        libhdf5::File::open_for_writing(copy_, name_, request_.file.limits);
    if (!file) return std::unexpected(file.error());
    bool first = true;
    const auto fresh = [&]() -> Result<Table> {
      libhdf5::LibraryFile objects(file->context());
      Result<Table> table = read_table_at(objects, path_);
      if (table) assign_roles(*table, revision_of(*spec_));
      return table;
    };
    Result<Table> table = fresh();
    if (!table) return std::unexpected(table.error());
    const SearchIndex* old = index_at(*table, broken.path);
    if (!old) return failure(broken.path, "it cannot be found again");
    if (!wanted.dropped.empty()) {
      if (const auto done = libhdf5::remove_indexes(*file, *table, {old}); !done)
        return std::unexpected(done.error());
      change.act = "dropped, because " + wanted.dropped;
    } else {
      for (auto& [name, built] : wanted.built) {
        if (!first) table = fresh();
        if (!table) return std::unexpected(table.error());
        const auto column = table->column_by_name.find(name);
        if (column == table->column_by_name.end()) return failure(name, "it cannot be found again");
        built.index.tokens = built.index.tokens ? fresh_tokens(*table) : built.index.tokens;
        const auto path = libhdf5::add_index(
            *file, *table, table->columns[column->second], built.index,
            first ? std::vector{index_at(*table, broken.path)} : std::vector<const SearchIndex*>{},
            first && broken.only_contents);
        if (!path) return std::unexpected(path.error());
        tried_.insert(*path);
        change.to += (change.to.empty() ? "" : "; ") + *path + ", " + built.summary;
        change.act = first ? "built again from the column " + name : change.act + " and " + name;
        first = false;
      }
    }
    if (!file->close()) return failure(name_, "the copy cannot be written");
    Code code = code_of_index(path_, broken.path,
                              wanted.dropped.empty() ? wanted.built.front().first : std::string());
    change.code = std::move(code.python);
    change.c = std::move(code.c);
    made_.changes.push_back(std::move(change));
    return {};
  }

  static std::optional<libhdf5::ValidityTokens> fresh_tokens(const Table& table) {
    const Attribute* generation = table.attribute("GENERATION");
    return libhdf5::ValidityTokens{
        .generation = generation ? unsigned_value(*generation).value_or(0) : 0,
        .nrows = table.nrows.value_or(0),
        .first = !generation};
  }

  // What only the values show: first what depends on a decision, then the indexes.
  Result<void> contents() {
    constexpr int kMostTimes = 8;
    for (int time = 0; time < kMostTimes; ++time) {
      if (const Result<void> done = settle(Depth::kFull); !done) return done;
      std::vector<Broken> broken;
      {
        Result<std::unique_ptr<Reading>> now = read();
        if (!now) return std::unexpected(now.error());
        broken = broken_indexes(**now, judge(**now, Depth::kFull));
      }
      if (broken.empty()) return {};
      for (const Broken& each : broken)
        if (const Result<void> done = rebuild(each); !done) {
          // A failure in the middle leaves a state that nobody should get.
          return std::unexpected(
              Error{each.path, "the index cannot be replaced: " + done.error().text()});
        }
    }
    return {};
  }

  // --- the end

  // A table that was moved to another revision has to look like one.
  Result<void> sign() {
    if (!request_.to) return {};
    Result<std::unique_ptr<Reading>> now = read();
    if (!now) return std::unexpected(now.error());
    const RevisionChoice choice = revision_by_signs((*now)->table.group);
    if (choice.revision == (*now)->table.revision) return {};
    const bool possible = (*now)->table.revision->tokens && !(*now)->table.attribute("GENERATION");
    if (!possible) {
      made_.notes.push_back(std::format("it still has {} ({}), as in {}", choice.choice.sign,
                                        choice.choice.path, choice.revision->spec));
      return {};
    }
    Table table;
    table.group = (*now)->table.group;
    assign_roles(table, *(*now)->table.revision);
    now->reset();
    const Clause* clause = spec_->find("generation-present");
    Chosen chosen{.clause = clause,
                  .finding = {.object = table.path(), .attribute = "GENERATION"},
                  .plan = {}};
    chosen.plan = changed(nullptr, table.path(), number_attribute("GENERATION", 0),
                          "written, so that the table shows its revision");
    return apply({chosen}, table);
  }

  Result<void> conclude() {
    Result<std::unique_ptr<Reading>> now = read();
    if (!now) return std::unexpected(now.error());
    const SubjectReport report = judge(**now, Depth::kFull);
    if (report.verdict == SubjectVerdict::kUnsupported) made_.notes.push_back(report.reason);
    for_each_violation(report, [&](const Clause& clause, const Finding& finding) {
      RepairLeft left{.clause = std::string(clause.id),
                      .object = finding.object,
                      .attribute = finding.attribute,
                      .where = finding.where,
                      .observed = finding.observed,
                      .expected = finding.expected};
      const Violation key = violation_of(clause.id, finding);
      const auto reason = reasons_.find(key);
      if (!selected(clause)) {
        left.why = "not selected by --only";
      } else if (reason != reasons_.end()) {
        left.why = reason->second.why;
        left.options = reason->second.options;
      } else if (handled_.contains(key) || tried_.contains(finding.object)) {
        left.why = "the repair did not help";
      } else {
        left.why = "the values themselves would have to change, which only their owner can do";
      }
      made_.left.push_back(std::move(left));
    });
    return {};
  }

  Rewrite& copy_;
  const std::string& name_;
  const std::string& path_;
  const RepairRequest& request_;
  const Specification* spec_ = nullptr;
  RepairedSubject made_{};
  std::set<Violation> handled_{};
  std::map<Violation, Reason> reasons_{};
  std::set<std::string> tried_{};  // indexes, by path
};

// The paths of the tables of a file.
Result<std::vector<std::string>> tables_of(Rewrite& copy, const std::string& name,
                                           const RepairRequest& request) {
  Result<libhdf5::File> file =
      libhdf5::File::open_descriptor(copy.descriptor(), name, request.file.limits);
  if (!file) return std::unexpected(file.error());
  if (file->marked_as_open())
    return failure(name,
                   "it is marked as open for writing: a program has it open, or was killed; "
                   "repair the container first, with --spec hdf5");
  if (request.group) return std::vector{*request.group};
  std::vector<std::string> paths;
  libhdf5::LibraryFile objects(file->context());
  for_each_table(objects, {.table = [&](Table&& table) { paths.push_back(table.path()); },
                           .unreadable = [](const Error&) {}});
  if (paths.empty())
    return failure(name, "no table group; name one as FILE:/group if CLASS is missing");
  return paths;
}

}  // namespace

Result<std::vector<RepairedSubject>> repair_tables(Rewrite& copy, const std::string& name,
                                                   const RepairRequest& request) {
  libhdf5::initialise(request.file.allow_plugins);
  const Result<std::vector<std::string>> paths = tables_of(copy, name, request);
  if (!paths) return std::unexpected(paths.error());
  std::vector<RepairedSubject> subjects;
  for (const std::string& path : *paths) {
    Result<RepairedSubject> subject = TableRepair(copy, name, path, request).run();
    if (!subject) return std::unexpected(subject.error());
    if (copy.failed()) return std::unexpected(*copy.what_failed());
    subjects.push_back(std::move(*subject));
  }
  return subjects;
}

}  // namespace hepcheck::hep001
