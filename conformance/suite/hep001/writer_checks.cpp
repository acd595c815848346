// The checks of programs that write HEP001, clause by clause.
#include "conformance/suite/hep001/writer_checks.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <format>
#include <iterator>

namespace hepcheck::hep001::suite {

bool Step::conforms() const { return std::ranges::includes(broken_before, broken); }

void StepProbe::fail(std::string where, std::string observed, std::string expected) {
  looked();
  outcome().findings.push_back({.object = step_.name,
                                .where = std::move(where),
                                .observed = std::move(observed),
                                .expected = std::move(expected),
                                .hint = step_.request});
}

void StepProbe::unless(bool holds, std::string observed, std::string expected) {
  if (holds)
    looked();
  else
    fail("", std::move(observed), std::move(expected));
}

bool whole(const TableContent& table) {
  const auto has_all = [&](const ColumnContent& column) {
    return column.unreadable.empty() && column.values.size() == table.rows;
  };
  return !table.columns.empty() && std::ranges::all_of(table.columns, has_all);
}

namespace {

bool names(std::span<const ClauseId> clauses, std::string_view id) {
  return std::ranges::contains(clauses, id, &ClauseId::str);
}

}  // namespace

bool breaks_mandatory(const ClauseResult& result) {
  return result.verdict == Verdict::kFail && result.severity == Severity::kError;
}

// ------------------------------------------------------------------ what the file itself shows

bool about_index_content(const Clause& clause) {
  static constexpr std::array<std::string_view, 4> kFamilies = {"chunk_minmax", "sorted_rows",
                                                                "bitmap", "chunk_bloom"};
  static constexpr ClauseId kToo[] = {"sorted-ordered-scalar", "bitmap-ordered-scalar"};
  return std::ranges::contains(kFamilies, clause.object) || names(kToo, clause.id);
}

namespace {

// The programs that must maintain indexes, and references to them.
struct Keeper {
  Operations after;
  ClauseId indexes, references;
};
constexpr Keeper kUpkeep[] = {
    {kAppend, "append-updates-indexes-before-commit", "append-removes-list-references"},
    {kUpdate, "inplace-updates-or-deletes-indexes", "inplace-updates-or-deletes-indexes"},
    {kTruncate | kReclaim, "truncate-updates-or-deletes-indexes",
     "truncate-removes-list-references"},
};

// The clause that is charged for a file clause violated by a step.
StepProbe charged(const StepProbe& probe, const Step& step, const Clause& broken) {
  StepProbe itself = probe.on(broken);
  const auto upkeep = std::ranges::find_if(
      kUpkeep, [&](const Keeper& each) { return each.after & step.operation; });
  if (step.torn_index && about_index_content(broken)) return probe.on("retry-no-token-collision");
  // A violation without anything to maintain shows that the program builds such indexes
  // incorrectly.
  if (itself.failed_before() || upkeep == std::end(kUpkeep)) return itself;
  if (broken.id == ClauseId("search-index-list-resolves").str())
    return probe.on(upkeep->references);
  return about_index_content(broken) ? probe.on(upkeep->indexes) : itself;
}

// Each file clause by itself; earlier violations are not caused by this step.
void file_clauses(StepProbe& probe, const Step& step) {
  for (const SubjectReport& table : step.report.subjects)
    for (const ClauseResult& result : table.clauses) {
      const Clause& clause = *result.clause;
      if (result.verdict == Verdict::kPass) probe.on(clause).looked();
      if (!breaks_mandatory(result) || step.broken_before.contains(clause.id)) continue;
      const Finding& first = result.findings.front();
      const std::string where = first.object + (first.where.empty() ? "" : " " + first.where);
      StepProbe charge = charged(probe, step, clause);
      const bool itself = charge.clause() == clause.id;
      charge.fail(where,
                  itself ? first.observed : std::format("breaks {}: {}", clause.id, first.observed),
                  first.expected);
    }
  if (step.broken.empty()) probe.looked();
}

void conformant(StepProbe& probe, const Step& step) {
  if (step.broken.empty()) probe.looked();
}

void nothing_foreign(StepProbe& probe, const Step& step) {
  static constexpr ClauseId kForeign[] = {
      "descendants-serve-the-model", "no-named-datatype",   "no-soft-link",
      "external-link-association",   "outgoing-references", "no-nested-table",
      "no-multidimensional-dataset", "no-user-subgroup"};
  if (std::ranges::none_of(step.broken, [](std::string_view id) { return names(kForeign, id); }))
    probe.looked();
}

// ----------------------------------------------------------------------- tables written anew

ClauseId clause_of(const Difference& difference, std::uint64_t rows) {
  switch (difference.aspect) {
    case Aspect::kRows:
      return rows == 0 ? ClauseId("freshly-created-nrows-zero") : ClauseId("nrows-is-row-count");
    case Aspect::kLostColumn:
    case Aspect::kHiddenColumn: return "column-is-direct-child-dataset";
    case Aspect::kOrdered:
      return difference.expected == "ordered" ? ClauseId("producer-ordered-true-when-meaningful")
                                              : ClauseId("producer-ordered-not-true-otherwise");
    default: return "producer-every-table-conformant";
  }
}

// hepcheck reads the files, which have as many values as there are rows, or none.
bool about_length(const Difference& difference) {
  return difference.aspect == Aspect::kLostRows || difference.aspect == Aspect::kSurplusRows;
}

void as_asked(StepProbe& probe, const Step& step) {
  for (const Difference& difference : step.differences)
    if (!about_length(difference))
      probe.on(clause_of(difference, step.should.rows))
          .fail(difference.where, "not the requested table: " + difference.observed,
                difference.expected);
}

void looked(StepProbe& probe, const Step&) { probe.looked(); }

void fresh_rows(StepProbe& probe, const Step& step) {
  if (step.should.rows == 0) probe.looked();
}

void counted_rows(StepProbe& probe, const Step& step) {
  if (step.operation == kAppend || step.should.rows > 0) probe.looked();
}

template <bool kOrdered>
void labels_with_order(StepProbe& probe, const Step& step) {
  for (const ColumnContent& column : step.should.columns)
    if (column.categories && column.categories->ordered == kOrdered) probe.looked();
}

// Calls `visit` with each requested column and its result.
template <class Visit>
void for_each_asked(const Step& step, Visit visit) {
  for (const Json& asked : step.description.at("columns"))
    if (const ColumnContent* column = step.content->column(asked.at("name").get<std::string>()))
      visit(asked, *column);
}

void uniform_storage(StepProbe& probe, const Step& step) {
  std::set<std::string> chunks;
  for_each_asked(step, [&](const Json& asked, const ColumnContent& column) {
    if (const std::string chunk = asked.value("chunk", ""); !chunk.empty()) {
      chunks.insert(chunk);
      if (std::to_string(column.chunk) != chunk)
        probe.fail("column " + column.name, std::format("chunks of {} rows", column.chunk),
                   chunk + ", as requested");
    }
    if (asked.contains("filters") &&
        asked.at("filters").get<std::vector<std::string>>() != column.filters)
      probe.fail("column " + column.name, "filters " + Json(column.filters).dump(),
                 asked.at("filters").dump());
  });
  if (chunks.size() > 1) probe.looked();
}

void order_means_order(StepProbe& probe, const Step& step) {
  for_each_asked(step, [&](const Json&, const ColumnContent& column) {
    for (const IndexContent& index : column.indexes) {
      if (index.kind != "BITMAP" || !has_order(column.type)) continue;
      const bool sorted = std::ranges::is_sorted(
          index.values, [&](const Json& a, const Json& b) { return less(column.type, a, b); });
      probe.unless(!index.ordered || sorted, "ordered is true over " + shown(index.values),
                   "values in an order, or ordered false");
    }
  });
}

void indexes_asked_for(StepProbe& probe, const Step& step) {
  for_each_asked(step, [&](const Json& asked, const ColumnContent& column) {
    for (const Json& kind : asked.value("indexes", Json::array()))
      probe.unless(column.has_index(kind.get<std::string>()),
                   std::format("column {} has no index {}", column.name, kind.get<std::string>()),
                   "the requested indexes");
  });
}

void provenance(StepProbe& probe, const Step& step) {
  bool told = step.content->description.has_value(), indexed = false;
  for_each_asked(step, [&](const Json&, const ColumnContent& column) {
    for (const IndexContent& index : column.indexes) {
      indexed = true;
      told |= index.description && !index.description->empty();
    }
  });
  if (indexed)
    probe.unless(told, "no description anywhere",
                 "a description that names the origin of the indexes");
}

// Rows requested as preallocation, if any.
std::optional<std::uint64_t> preallocated(const Step& step) {
  if (!step.description.contains("preallocate")) return std::nullopt;
  return std::strtoull(step.description.at("preallocate").get_ref<const std::string&>().c_str(),
                       nullptr, 10);
}

bool has_extents(const TableContent& table, std::uint64_t rows) {
  return std::ranges::all_of(table.columns, [&](const ColumnContent& column) {
    return column.extent == table.columns.front().extent && column.extent >= rows;
  });
}

void equal_extents(StepProbe& probe, const Step& step) {
  if (preallocated(step))
    probe.unless(has_extents(*step.content, 0), "extents differ", "one extent for all columns");
}

void as_long_as_asked(StepProbe& probe, const Step& step) {
  if (const auto rows = preallocated(step))
    for (const ColumnContent& column : step.content->columns)
      probe.unless(column.extent >= *rows,
                   std::format("column {} has {} rows of storage", column.name, column.extent),
                   std::format("preallocated: {} rows", *rows));
}

void rows_in_advance(StepProbe& probe, const Step& step) {
  if (const auto rows = preallocated(step); rows && has_extents(*step.content, *rows))
    probe.looked();
}

// A byte of 0, 1 or the fill value can store it.
void boolean_fill(StepProbe& probe, const Step& step) {
  for_each_asked(step, [&](const Json& asked, const ColumnContent& column) {
    if (column.fill.is_null() || asked.at("type").at("class") != "boolean") return;
    const bool byte = column.type.at("class") == "integer" && column.type.at("size") == 1 &&
                      !column.type.at("signed").get<bool>();
    const bool above = column.fill.is_string() && column.fill != "0" && column.fill != "1";
    probe.unless(byte && above,
                 std::format("{} with fill value {}", shown(column.type), shown(column.fill)),
                 "uint8 with a fill value above 1");
  });
}

void other_fill(StepProbe& probe, const Step& step) {
  for_each_asked(step, [&](const Json& asked, const ColumnContent& column) {
    if (column.fill.is_null() || asked.value("domain", "") != "any") return;
    probe.unless(!same(column.fill, asked.at("recommended")),
                 std::format("column {}: fill value {}, which is a value of the domain",
                             column.name, shown(column.fill)),
                 "another fill value");
  });
}

// -------------------------------------------------------------------------------- appending

// Runs the check if the calls of the HDF5 library were recorded.
template <auto kCheck>
void by_calls(StepProbe& probe, const Step& step) {
  if (step.calls)
    kCheck(probe, step, *step.calls);
  else
    probe.unseen();
}

// The same for a program that declares that rows are on disk when it replies.
template <auto kCheck>
void by_calls_if_durable(StepProbe& probe, const Step& step) {
  if (probe.can().has("durable")) by_calls<kCheck>(probe, step);
}

void not_late(StepProbe& probe, const AppendCalls& calls, std::optional<std::size_t> late,
              std::string observed, std::string expected) {
  if (late)
    probe.fail(calls.place(*late), std::move(observed), std::move(expected));
  else
    probe.looked();
}

void extends_first(StepProbe& probe, const Step&, const AppendCalls& calls) {
  not_late(probe, calls, calls.late_extent, "a column is extended after NROWS is written",
           "every extent first");
}

void rows_first(StepProbe& probe, const Step&, const AppendCalls& calls) {
  not_late(probe, calls, calls.late_rows, "rows are written after NROWS", "all rows first");
}

void indexes_first(StepProbe& probe, const Step&, const AppendCalls& calls) {
  not_late(probe, calls, calls.late_index, "an index changes after NROWS",
           "indexes first, then NROWS");
}

void commit_last(StepProbe& probe, const Step&, const AppendCalls& calls) {
  if (!calls.late || !calls.writes_nrows(*calls.late))
    return not_late(probe, calls, calls.late, "a change after NROWS is written",
                    "NROWS is the last thing written");
  const bool deleted = calls.all[calls.commit].is("attribute-delete");
  probe.fail(
      calls.place(*calls.late),
      deleted ? "NROWS is deleted and created again; a crash in between leaves a table without it"
              : "NROWS is written more than once",
      "one write, the last");
}

// A column that is written from a row other than N_old; extents do not show the position.
bool starts_at_nrows(const Step& step) {
  return !step.calls || step.calls->first_row.value_or(step.before.rows) == step.before.rows;
}

void reads_nrows(StepProbe& probe, const Step& step, const AppendCalls& calls) {
  if (calls.first_row)
    probe.unless(starts_at_nrows(step),
                 std::format("the first row written is {}", *calls.first_row),
                 std::format("{}, the NROWS of the file", step.before.rows));
}

void flush_after(StepProbe& probe, const Step&, const AppendCalls& calls) {
  probe.unless(calls.flushed_after, "no flush or close after NROWS is written",
               "H5Fflush before the append is reported complete");
}

void no_swmr(StepProbe& probe, const Step&, const AppendCalls& calls) {
  probe.unless(!calls.swmr, "opened for SWMR writing", "no SWMR around an append");
}

void durable_flush_before(StepProbe& probe, const Step&, const AppendCalls& calls) {
  probe.unless(calls.flushed_before, "no flush between the last row or index and NROWS",
               "H5Fflush after step 4");
}

void durable_flush_after(StepProbe& probe, const Step&, const AppendCalls& calls) {
  probe.unless(calls.flushed_after, "no flush after NROWS", "H5Fflush after step 5");
}

// What of an appended table is not as it should be: an old row, a new one, or neither.
enum class ChangedRows : std::uint8_t { kOldRows, kNewRows, kOther };

ChangedRows part_of(const Difference& difference, const Step& step) {
  if (difference.row)
    return *difference.row < step.before.rows ? ChangedRows::kOldRows : ChangedRows::kNewRows;
  if (difference.aspect == Aspect::kLostColumn) return ChangedRows::kOldRows;
  for (const ColumnContent& column : step.content->columns)
    if (!column.unreadable.empty() && difference.aspect == Aspect::kValue &&
        difference.where == "column " + column.name)
      return step.old_rows_readable.contains(column.name) ? ChangedRows::kNewRows
                                                          : ChangedRows::kOldRows;
  return ChangedRows::kOther;
}

bool counts_in_append(const Difference& difference) {
  return difference.aspect != Aspect::kColumnOrder && !about_length(difference);
}

bool keeps(const Step& step, ChangedRows part) {
  return std::ranges::none_of(step.differences, [&](const Difference& difference) {
    return counts_in_append(difference) && part_of(difference, step) == part;
  });
}

void appended(StepProbe& probe, const Step& step) {
  for (const Difference& difference : step.differences) {
    if (!counts_in_append(difference)) continue;
    const ChangedRows part = part_of(difference, step);
    // What was written elsewhere is not where it should be, nor as many rows.
    if (!starts_at_nrows(step) && part != ChangedRows::kOldRows) continue;
    probe
        .on(part == ChangedRows::kOldRows   ? ClauseId("append-preserves-existing-rows")
            : part == ChangedRows::kNewRows ? ClauseId("append-writes-rows-before-commit")
                                            : clause_of(difference, step.should.rows))
        .fail(difference.where, difference.observed, difference.expected);
  }
}

void keeps_old_rows(StepProbe& probe, const Step& step) {
  if (keeps(step, ChangedRows::kOldRows)) probe.looked();
}

void writes_new_rows(StepProbe& probe, const Step& step) {
  if (keeps(step, ChangedRows::kNewRows)) probe.looked();
}

void unmaintained_indexes(StepProbe& probe, const Step& step) {
  for (const ColumnContent& column : step.content->columns)
    for (const IndexContent& index : column.indexes)
      probe.unless(
          index.kind == "CHUNK_MINMAX" || index.kind == "SORTED_ROWS" || index.kind == "BITMAP" ||
              index.kind == "CHUNK_BLOOM",
          std::format("column {} still lists an index of KIND {}", column.name, index.kind),
          "what cannot be kept consistent is deleted");
}

// ---------------------------------------------------------------------------- other changes

void changed(StepProbe& probe, const Step& step) {
  for (const Difference& difference : step.differences)
    if (difference.aspect != Aspect::kColumnOrder && !about_length(difference))
      (difference.aspect == Aspect::kRows ? probe.on("nrows-is-row-count") : probe)
          .fail(difference.where, difference.observed, difference.expected);
  probe.looked();
}

void looked_if_conformant(StepProbe& probe, const Step& step) {
  if (step.conforms()) probe.looked();
}

void index_is_there(StepProbe& probe, const Step& step) {
  if (!step.conforms()) return;
  const ColumnContent* column = step.content->column(step.column);
  const bool there = column && column->has_index(step.kind), wanted = step.operation == kAddIndex;
  probe.unless(column && there == wanted,
               std::format("{} is {}", step.kind, wanted ? "not there" : "still there"),
               wanted ? "the index" : "no such index");
}

// Indexes that the step is not about: those of other columns, and those of another kind where it
// adds or drops one.
void other_indexes_stay(StepProbe& probe, const Step& step) {
  if (!step.conforms()) return;
  for (const ColumnContent& column : step.before.columns) {
    const bool touched = column.name == step.column;
    if (touched && step.operation == kUpdate) continue;
    const ColumnContent* now = step.content->column(column.name);
    for (const std::string_view kind : kIndexes) {
      if (!now || (touched && kind == step.kind)) continue;
      probe.unless(
          column.has_index(kind) == now->has_index(kind),
          std::format("column {} {} {}", column.name,
                      now->has_index(kind) ? "has got an index" : "has lost the index", kind),
          "no change to this index");
    }
  }
}

void gives_storage_back(StepProbe& probe, const Step& step) {
  if (!step.conforms()) return;
  for (const ColumnContent& column : step.content->columns)
    if (!column.is_list())
      probe.unless(column.extent == step.should.rows,
                   std::format("column {} is {} rows long", column.name, column.extent),
                   std::format("{}, the new NROWS", step.should.rows));
}

constexpr WriterCheck kChecks[] = {
    {kAllOperations, "producer-every-table-conformant", file_clauses},
    {kAllOperations, "class-only-on-conformant-group", conformant},
    {kAllOperations, "producer-colocate-outside", nothing_foreign},

    {kWrite, "producer-every-table-conformant", as_asked},
    {kWrite, "freshly-created-nrows-zero", fresh_rows},
    {kWrite | kAppend, "nrows-is-row-count", counted_rows},
    {kWrite, "column-is-direct-child-dataset", looked},
    {kWrite, "producer-ordered-true-when-meaningful", labels_with_order<true>},
    {kWrite, "producer-ordered-not-true-otherwise", labels_with_order<false>},
    {kWrite, "producer-not-require-uniform-storage", uniform_storage},
    {kWrite, "producer-ordered-true-means-order", order_means_order},
    {kWrite, "producer-provenance", provenance},
    {kWrite, "producer-every-table-conformant", as_long_as_asked},
    {kWrite, "producer-every-table-conformant", indexes_asked_for},
    {kWrite, "preallocate-equal-extents", equal_extents},
    {kWrite, "preallocation-allowed", rows_in_advance},
    {kWrite, "boolean-fill-gt-1", boolean_fill},
    {kWrite, "sentinel-in-domain-other-fill", other_fill},

    {kAppend, "append-extends-before-write", by_calls<extends_first>},
    {kAppend, "append-writes-rows-before-commit", by_calls<rows_first>},
    {kAppend, "append-updates-indexes-before-commit", by_calls<indexes_first>},
    {kAppend, "append-commit-last", by_calls<commit_last>},
    {kAppend, "append-reads-nrows", by_calls<reads_nrows>},
    {kAppend, "append-flush-after-commit", by_calls<flush_after>},
    {kAppend, "swmr-no-attribute-writes", by_calls<no_swmr>},
    {kAppend, "append-durable-flush-before-commit", by_calls_if_durable<durable_flush_before>},
    {kAppend, "append-durable-flush-after-commit", by_calls_if_durable<durable_flush_after>},
    {kAppend, "producer-every-table-conformant", appended},
    {kAppend, "append-preserves-existing-rows", keeps_old_rows},
    {kAppend, "retry-overwrites-or-extends", writes_new_rows},
    {kAppend, "append-column-write-order-free", looked},
    {kAppend, "append-incremental-index", looked},
    {kAppend, "append-removes-list-references", looked},
    {kAppend, "append-deletes-unmaintained-indexes", unmaintained_indexes},

    {kOtherChanges, "mutation-follows-section-11", changed},
    {kUpdate, "inplace-updates-or-deletes-indexes", looked_if_conformant},
    {kUpdate, "inplace-permitted", looked_if_conformant},
    {kDropIndex | kAddIndex | kUpdate, "mutation-follows-section-11", other_indexes_stay},
    {kDropIndex | kAddIndex, "mutation-follows-section-11", index_is_there},
    {kTruncate | kReclaim, "truncate-updates-or-deletes-indexes", looked_if_conformant},
    {kTruncate | kReclaim, "truncate-removes-list-references", looked_if_conformant},
    {kTruncate | kReclaim, "truncate-logically", looked_if_conformant},
    {kReclaim, "reclaim-by-rewrite", gives_storage_back},
};

// --------------------------------------------------------------------------------------------

// What a column says of its values: the fill value and the range, which no writer may lose.
void add_bounds(std::vector<Difference>& differences, const TableContent& should,
                const TableContent& is, bool only_what_is_asked) {
  for (const ColumnContent& column : should.columns) {
    const ColumnContent* now = is.column(column.name);
    if (!now) continue;
    const auto hold = [&](const char* name, const Json& wanted, const Json& found) {
      if (same(wanted, found) || (wanted.is_null() && only_what_is_asked)) return;
      if (is_nan(wanted) && is_nan(found)) return;
      differences.push_back({.aspect = Aspect::kBounds,
                             .table = should.path,
                             .where = std::format("column {} {}", column.name, name),
                             .observed = found.is_null() ? "none" : shown(found),
                             .expected = wanted.is_null() ? "none" : shown(wanted)});
    };
    hold("fill value", column.fill, now->fill);
    hold("valid_min", column.valid_min, now->valid_min);
    hold("valid_max", column.valid_max, now->valid_max);
  }
}

bool is_full(const Json& column) { return column.value("domain", "") == "full"; }

bool full_domain(const Json& table, const std::string& column) {
  return std::ranges::any_of(table.at("columns"), [&](const Json& asked) {
    return asked.at("name") == column && is_full(asked);
  });
}

// A wider integer was requested. kFullDomain reports values that have become missing.
void allow_wider(ColumnContent& column, const ColumnContent& is) {
  const auto size = [](const Json& type) {
    return type.at("class") == "integer" ? type.at("size").get<std::uint64_t>() : 0;
  };
  if (size(is.type) > size(column.type)) column.type = is.type;
  for (std::size_t row = 0; row < std::min(column.values.size(), is.values.size()); ++row)
    if (is.values[row].is_null()) column.values[row] = nullptr;
}

// The file is read by us, so that all of it counts.
std::vector<Difference> differences(const Step& step, Capabilities can) {
  can.features.insert({"units", "categories", "row-labels", "descriptions"});
  TableContent should = step.should;
  std::vector<Difference> bounds;
  add_bounds(bounds, should, *step.content, step.operation == kWrite);
  if (step.operation == kWrite) {
    should.fixed_order = step.content->fixed_order;
    for (ColumnContent& column : should.columns)
      if (const ColumnContent* is = step.content->column(column.name)) {
        // How a boolean column is stored is the program's business.
        if (column.type.at("class") == "boolean") column.type = is->type;
        if (full_domain(step.description, column.name)) allow_wider(column, *is);
        column.fill = is->fill;
        column.missing_known = is->missing_known;
      }
  }
  std::vector<Difference> found = compare({should}, {*step.content}, can);
  std::ranges::move(bounds, std::back_inserter(found));
  return found;
}

}  // namespace

std::span<const WriterCheck> writer_checks() { return kChecks; }

void check_declined(const Step& step, const Capabilities& can, Outcomes& outcomes) {
  if (step.operation == kWrite && std::ranges::any_of(step.description.at("columns"), is_full))
    StepProbe(kFullDomain.str(), step, can, outcomes).looked();
}

void check(Step& step, const Specification& spec, const Capabilities& can, Outcomes& outcomes) {
  for (const SubjectReport& table : step.report.subjects)
    for (const ClauseResult& result : table.clauses)
      if (breaks_mandatory(result)) step.broken.insert(result.clause->id);
  step.differences = differences(step, can);
  if (step.operation == kAppend && step.recording)
    step.calls = append_calls(step.recording->calls, step.before);
  if (step.recording && !step.recording->calls.empty())
    step.tokens =
        token_calls(step.recording->calls, step.operation == kWrite ? *step.content : step.before);
  const auto make = [&](std::span<const WriterCheck> checks) {
    for (const WriterCheck& each : checks) {
      if (!(each.after & step.operation)) continue;
      StepProbe probe(each.id.str(), step, can, outcomes);
      each.check(probe, step);
    }
  };
  make(kChecks);
  if (revision_of(spec).tokens) make(token_checks());
}

}  // namespace hepcheck::hep001::suite
