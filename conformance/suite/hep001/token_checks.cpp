// The checks of writers of HEP001 2026-07-09 in addition to those of the older revision: validity
// tokens in order, list columns from the leaf outwards, booleans.
#include <algorithm>
#include <format>

#include "conformance/suite/hep001/writer_checks.h"
#include "validator/formats/hep001/model/revision.h"

namespace hepcheck::hep001::suite {

namespace {

constexpr Operations kCommits = kAppend | kTruncate | kReclaim;

// Requires the calls of the HDF5 library.
template <auto kCheck>
void by_token_calls(StepProbe& probe, const Step& step) {
  if (!step.tokens)
    probe.unseen();
  else
    kCheck(probe, step, *step.tokens);
}

bool commits(const Step& step) { return step.content->rows != step.before.rows; }
bool tokened(const Step& step) { return step.before.generation.has_value(); }
bool edits(const Step& step) { return step.operation == kUpdate && step.changed_rows > 0; }

std::string_view told(const std::optional<std::uint64_t>& number, std::string& into) {
  return into = number ? std::to_string(*number) : "none";
}

// `earlier` happens before `later`, if both do.
void in_order(StepProbe& probe, const TokenCalls& calls, std::optional<std::size_t> earlier,
              std::optional<std::size_t> later, std::string observed, std::string expected) {
  if (!earlier || !later) return;
  if (*earlier < *later)
    probe.looked();
  else
    probe.fail(calls.place(*later), std::move(observed), std::move(expected));
}

// ------------------------------------------------------------------------------ GENERATION

void generation_changes(StepProbe& probe, const Step& step) {
  if (!tokened(step) || !(commits(step) || edits(step))) return;
  std::string now;
  probe.unless(step.content->generation.value_or(0) > *step.before.generation,
               std::format("GENERATION {}", told(step.content->generation, now)),
               std::format("{}", *step.before.generation + 1));
}

// An additional increment prevents an index from becoming valid (retry-no-token-collision).
void generation_by_one(StepProbe& probe, const Step& step) {
  if (!tokened(step) || !(commits(step) || edits(step)) || !step.content->generation) return;
  const std::uint64_t more = *step.content->generation - *step.before.generation;
  if (more == 0) return;  // reported by generation_changes
  probe.unless(
      more == 1 || more == 2,
      std::format("GENERATION {} after {}", *step.content->generation, *step.before.generation),
      std::format("{}", *step.before.generation + 1));
}

// Another process has changed it in the meantime: the state found by an append to an unknown table.
void reads_generation(StepProbe& probe, const Step& step) {
  if (tokened(step) && commits(step) && step.content->generation)
    probe.unless(*step.content->generation > *step.before.generation,
                 std::format("GENERATION {}", *step.content->generation),
                 std::format("more than {}, the value in the file", *step.before.generation));
}

void no_tokens_needed(StepProbe& probe, const Step& step) {
  if (!tokened(step) && !step.content->generation && step.conforms()) probe.looked();
}

void generation_from_zero(StepProbe& probe, const Step& step) {
  if (tokened(step) || !step.content->generation) return;
  probe.unless(*step.content->generation == 0,
               std::format("GENERATION {}", *step.content->generation), "0 at first");
}

void generation_after_indexes(StepProbe& probe, const Step& step, const TokenCalls& calls) {
  if (!commits(step)) return;
  for (const IndexCalls& index : calls.indexes) {
    in_order(probe, calls, index.tokens.last, calls.generation.last,
             "GENERATION before the tokens of " + index.path, "GENERATION after all indexes");
    in_order(probe, calls, index.content.last, calls.generation.last,
             "GENERATION before the contents of " + index.path, "GENERATION after all indexes");
  }
}

void generation_before_nrows(StepProbe& probe, const Step& step, const TokenCalls& calls) {
  if (commits(step))
    in_order(probe, calls, calls.generation.last, calls.nrows.first, "NROWS before GENERATION",
             "GENERATION, then NROWS");
}

// --------------------------------------------------------------------------------- tokens

// Indexes that existed before and still exist.
template <class Visit>
void for_each_kept(const Step& step, Visit visit) {
  for (const ColumnContent& column : step.before.columns) {
    const ColumnContent* now = step.content->column(column.name);
    for (const IndexContent& index : column.indexes)
      if (now)
        if (const auto at = std::ranges::find(now->indexes, index.path, &IndexContent::path);
            at != now->indexes.end())
          visit(index, *at);
  }
}

const IndexCalls* calls_on(const TokenCalls& calls, const std::string& index) {
  const auto at = std::ranges::find(calls.indexes, index, &IndexCalls::path);
  return at == calls.indexes.end() ? nullptr : &*at;
}

void tokens_before_content(StepProbe& probe, const Step& step, const TokenCalls& calls) {
  for_each_kept(step, [&](const IndexContent& before, const IndexContent& now) {
    const IndexCalls* index = calls_on(calls, now.path);
    if (!index || !index->content.first || !before.valid) return;
    if (!index->tokens.first)
      probe.fail(calls.place(*index->content.first), now.path + " changes, its tokens do not",
                 "tokens of the future state, then contents");
    else
      in_order(probe, calls, index->tokens.last, index->content.first,
               now.path + " changes before its tokens",
               "tokens of the future state, then contents");
  });
}

void tokens_of_the_commit(StepProbe& probe, const Step& step) {
  if (step.torn_index || (!commits(step) && !edits(step))) return;
  for_each_kept(step, [&](const IndexContent& before, const IndexContent& now) {
    const bool touched = now.source_generation != before.source_generation ||
                         now.source_nrows != before.source_nrows;
    if (!touched && !(step.upkeep == Upkeep::kMaintain && before.valid)) return;
    std::string generation, rows, wanted;
    probe.unless(
        now.source_generation == step.content->generation && now.source_nrows == step.content->rows,
        std::format("{}: tokens {}, {}", now.path, told(now.source_generation, generation),
                    told(now.source_nrows, rows)),
        std::format("{}, {}", told(step.content->generation, wanted), step.content->rows));
  });
}

void content_before_commit(StepProbe& probe, const Step& step, const TokenCalls& calls) {
  if (!commits(step)) return;
  for (const IndexCalls& index : calls.indexes)
    in_order(probe, calls, index.content.last, calls.nrows.first,
             index.path + " changes after NROWS", "all contents first");
}

void not_made_anew(StepProbe& probe, const Step& step, const TokenCalls& calls) {
  for_each_kept(step, [&](const IndexContent&, const IndexContent& now) {
    if (const IndexCalls* index = calls_on(calls, now.path); index && index->content.first)
      probe.unless(!(index->deleted && index->created), now.path + " is deleted and created again",
                   "the contents change, the dataset stays");
  });
}

void left_alone(StepProbe& probe, const Step& step) {
  if (step.upkeep == Upkeep::kLeave && step.conforms()) probe.looked();
}

// The index that a crashed change left behind has not become valid.
void torn_index_stays_dead(StepProbe& probe, const Step& step) {
  if (step.torn_index && step.conforms()) probe.looked();
}

// ----------------------------------------------------------------------------- new indexes

template <class Visit>
void for_each_new(const Step& step, Visit visit) {
  for (const ColumnContent& column : step.content->columns) {
    const ColumnContent* before = step.before.column(column.name);
    for (const IndexContent& index : column.indexes)
      if (!before || std::ranges::find(before->indexes, index.path, &IndexContent::path) ==
                         before->indexes.end())
        visit(index);
  }
}

void new_index_tokens(StepProbe& probe, const Step& step) {
  for_each_new(step, [&](const IndexContent& index) {
    probe.unless(index.valid, index.path + " does not pass the validity check",
                 "tokens equal to GENERATION and NROWS");
  });
}

void new_index_generation_first(StepProbe& probe, const Step& step, const TokenCalls& calls) {
  if (tokened(step)) return;
  for (const IndexCalls& index : calls.indexes)
    in_order(probe, calls, calls.generation.first, index.tokens.first,
             "tokens of " + index.path + " before the table has GENERATION", "GENERATION first");
}

void new_index_no_increment(StepProbe& probe, const Step& step) {
  if (!tokened(step)) return;
  std::string now;
  probe.unless(step.content->generation == step.before.generation,
               std::format("GENERATION {}", told(step.content->generation, now)),
               std::format("{}, as before", *step.before.generation));
}

// ------------------------------------------------------------------------- in-place updates

void generation_before_data(StepProbe& probe, const Step& step, const TokenCalls& calls) {
  if (!tokened(step) || !edits(step) || !calls.data.first) return;
  if (!calls.generation.first)
    return probe.fail(calls.place(*calls.data.first), "rows change, GENERATION does not",
                      "GENERATION first");
  in_order(probe, calls, calls.generation.last, calls.data.first, "rows before GENERATION",
           "GENERATION first");
}

void generation_flushed(StepProbe& probe, const Step& step, const TokenCalls& calls) {
  if (!tokened(step) || !edits(step) || !calls.data.first || !calls.generation.first) return;
  probe.unless(calls.flushed_between(*calls.generation.first, *calls.data.first),
               "no flush between GENERATION and the first row", "H5Fflush in between");
}

void content_before_tokens(StepProbe& probe, const Step& step, const TokenCalls& calls) {
  if (!tokened(step) || !edits(step)) return;
  for (const IndexCalls& index : calls.indexes)
    in_order(probe, calls, index.content.last, index.tokens.first,
             index.path + " changes after its tokens", "contents, then tokens");
}

void flushed_at_last(StepProbe& probe, const Step& step, const TokenCalls& calls) {
  if (!edits(step) || !calls.data.last) return;
  std::size_t last = *calls.data.last;
  for (const IndexCalls& index : calls.indexes)
    last = std::max(last, index.tokens.last.value_or(0));
  probe.unless(calls.flushed_between(last, calls.all.size()), "no flush after the last write",
               "H5Fflush at the end");
}

// ----------------------------------------------------------------------------- list columns

template <class Visit>
void for_each_list(const Step& step, Visit visit) {
  for (const ColumnContent& column : step.content->columns)
    if (column.is_list()) visit(column);
}

void extends_members(StepProbe& probe, const Step& step) {
  for_each_list(step, [&](const ColumnContent& column) {
    for (const MemberContent& member : column.members)
      probe.unless(member.extent >= member.needed,
                   std::format("{}/{} has {} elements", column.name, member.name, member.extent),
                   std::format("{} at least", member.needed));
  });
}

void leaf_first(StepProbe& probe, const Step&, const TokenCalls& calls) {
  for (const LevelCalls& level : calls.levels)
    for (const Span* of : {&level.own, &level.mask})
      in_order(probe, calls, level.below.last, of->first,
               "elements after OFFSETS or MASK of " + level.path, "the innermost elements first");
}

void offsets_last(StepProbe& probe, const Step& step, const TokenCalls& calls) {
  for (const ColumnContent& column : step.before.columns) {
    const LevelCalls* level = column.is_list() ? calls.outermost(column.name) : nullptr;
    if (!level) continue;
    for (const Span* of : {&level->below, &level->mask})
      in_order(probe, calls, of->last, level->own.last,
               "a member changes after " + level->path + "/OFFSETS",
               "OFFSETS of the outermost level last");
  }
}

void keeps_lists(StepProbe& probe, const Step& step) {
  for (const ColumnContent& column : step.before.columns) {
    const ColumnContent* now = column.is_list() ? step.content->column(column.name) : nullptr;
    if (!now) continue;
    for (std::uint64_t row = 0; row < step.before.rows; ++row) {
      const bool kept = row < now->values.size() && same(now->values[row], column.values[row]);
      probe.unless(kept, std::format("column {} row {} has changed", column.name, row),
                   shown(column.values[row]));
      if (!kept) break;
    }
  }
}

bool covered(const TokenCalls& calls, const std::string& path, std::uint64_t from,
             std::uint64_t to) {
  const auto at = calls.written.find(path);
  for (std::uint64_t i = from; i < to; ++i)
    if (at == calls.written.end() || std::ranges::none_of(at->second, [&](const auto& part) {
          return part.first <= i && i <= part.second;
        }))
      return false;
  return true;
}

// Every position up to the last row is written, regardless of the fill value.
void writes_members(StepProbe& probe, const Step& step, const TokenCalls& calls) {
  for (const ColumnContent& column : step.before.columns) {
    const LevelCalls* level = column.is_list() ? calls.outermost(column.name) : nullptr;
    if (!level || step.content->rows <= step.before.rows) continue;
    probe.unless(
        covered(calls, level->path + "/OFFSETS", step.before.rows + 1, step.content->rows + 1),
        level->path + "/OFFSETS is not written for every new row", "every one");
  }
}

void whole_lists_only(StepProbe& probe, const Step& step) {
  bool lists = false;
  for_each_list(step, [&](const ColumnContent&) { lists = true; });
  if (lists && std::ranges::none_of(step.broken, [](std::string_view id) {
        return id.starts_with("list-") || id.starts_with("string-");
      }))
    probe.looked();
}

void cuts_lists(StepProbe& probe, const Step& step) {
  if (!step.conforms()) return;
  for_each_list(step, [&](const ColumnContent& column) {
    for (const MemberContent& member : column.members)
      probe.unless(member.extent == member.needed,
                   std::format("{}/{} has {} elements", column.name, member.name, member.extent),
                   std::format("{}, as its rows require", member.needed));
  });
}

void truncates_lists(StepProbe& probe, const Step& step) {
  for_each_list(step, [&](const ColumnContent&) {
    if (step.conforms()) probe.looked();
  });
}

// ------------------------------------------------------------------------ tables written anew

// Strings that are equal only after normalization.
void texts_as_given(StepProbe& probe, const Step& step) {
  for (const ColumnContent& column : step.should.columns) {
    const ColumnContent* now = step.content->column(column.name);
    if (!column.is_list() || !now || column.type.dump().find("\"text\"") == std::string::npos)
      continue;
    probe.unless(std::ranges::equal(now->values, column.values, same),
                 "column " + column.name + ": " + shown(now->values, 120),
                 shown(column.values, 120));
  }
}

// Calls `visit` with each boolean column that has missing rows, in stored form.
template <class Visit>
void for_each_nullable(const Step& step, Visit visit) {
  for (const Json& asked : step.description.at("columns"))
    if (asked.at("type").at("class") == "boolean" &&
        std::ranges::any_of(asked.at("values"), [](const Json& value) { return value.is_null(); }))
      if (const ColumnContent* column = step.content->column(asked.at("name").get<std::string>()))
        visit(*column);
}

bool is_uint8(const Json& type) {
  return type.at("class") == "integer" && type.at("size") == 1 && type.at("signed") == false;
}

bool has_missing_member(const Json& type) {
  return type.at("class") == "enum" && type.at("members").size() == 3 &&
         std::ranges::contains(type.at("members"), Json::array({"FALSE", "0"})) &&
         std::ranges::contains(type.at("members"), Json::array({"TRUE", "1"})) &&
         std::ranges::contains(type.at("members"), Json::array({"MISSING", "2"}));
}

bool outside(const Json& fill) { return fill.is_string() && fill != "0" && fill != "1"; }

void nullable_form(StepProbe& probe, const Step& step) {
  for_each_nullable(step, [&](const ColumnContent& column) {
    probe.unless((has_missing_member(column.type) && column.fill == "2") ||
                     (is_uint8(column.type) && outside(column.fill)),
                 std::format("column {}: {} with fill value {}", column.name, shown(column.type),
                             shown(column.fill)),
                 "FALSE=0, TRUE=1, MISSING=2 with fill value 2, or uint8 with one above 1");
  });
}

void nullable_enumeration(StepProbe& probe, const Step& step) {
  for_each_nullable(step, [&](const ColumnContent& column) {
    probe.unless(has_missing_member(column.type), shown(column.type),
                 "the enumeration with MISSING");
  });
}

// Only for programs that chose that form: the other form violates none of its requirements.
void nullable_uint8(StepProbe& probe, const Step& step) {
  for_each_nullable(step, [&](const ColumnContent& column) {
    probe.unless(!is_uint8(column.type) || outside(column.fill), shown(column.fill), "above 1");
  });
}

void nullable_uint8_255(StepProbe& probe, const Step& step) {
  for_each_nullable(step, [&](const ColumnContent& column) {
    probe.unless(!is_uint8(column.type) || column.fill == "255", shown(column.fill), "255");
  });
}

void no_value_is_missing(StepProbe& probe, const Step& step) {
  for (const Json& asked : step.description.at("columns")) {
    const ColumnContent* column = step.content->column(asked.at("name").get<std::string>());
    if (asked.value("domain", "") != "full" || !column) continue;
    const std::size_t rows = std::min(asked.at("values").size(), column->values.size());
    std::size_t row = 0;
    while (row < rows && (asked.at("values")[row].is_null() || !column->values[row].is_null()))
      ++row;
    if (row == rows)
      probe.looked();
    else
      probe.fail(std::format("column {} row {}", column->name, row),
                 shown(asked.at("values")[row]) + " has become missing",
                 "a wider datatype with a fill value");
  }
}

void written(StepProbe& probe, const Step&) { probe.looked(); }

constexpr WriterCheck kTokenChecks[] = {
    {kWrite, "column-stored-as-dataset-unless-list", written},
    {kWrite, kFullDomain, no_value_is_missing},
    {kWrite, "nullable-boolean-form", nullable_form},
    {kWrite, "nullable-boolean-enum-preferred", nullable_enumeration},
    {kWrite, "nullable-boolean-uint8-fill", nullable_uint8},
    {kWrite, "nullable-boolean-uint8-fill-255", nullable_uint8_255},
    {kWrite, "producer-string-no-normalization", texts_as_given},
    {kAllOperations, "list-class-only-on-conformant-group", whole_lists_only},

    {kCommits, "producer-generation-incremented-on-commit", generation_changes},
    {kUpdate, "producer-generation-incremented-on-edit", generation_changes},
    {kCommits | kUpdate, "producer-generation-by-one", generation_by_one},
    {kWrite | kAddIndex, "producer-generation-starts-at-zero", generation_from_zero},
    {kAppend, "append-reads-generation", reads_generation},
    {kAppend, "append-no-generation-without-indexes", no_tokens_needed},
    {kAppend, "append-writes-generation", generation_changes},
    {kTruncate | kReclaim, "truncate-increments-generation", generation_changes},
    {kAppend, "append-generation-after-indexes", by_token_calls<generation_after_indexes>},
    {kAppend, "append-generation-before-nrows", by_token_calls<generation_before_nrows>},

    {kCommits, "producer-tokens-before-content", by_token_calls<tokens_before_content>},
    {kCommits, "append-index-token-values", tokens_of_the_commit},
    {kAppend, "append-index-content-before-commit", by_token_calls<content_before_commit>},
    {kCommits, "index-not-recreated-on-update", by_token_calls<not_made_anew>},
    {kAppend, "append-unmaintained-index-left", left_alone},
    {kAppend | kTruncate, "retry-no-token-collision", torn_index_stays_dead},
    {kTruncate | kReclaim, "truncate-unmaintained-index-left", left_alone},

    {kWrite | kAddIndex, "producer-new-index-current-tokens", new_index_tokens},
    {kWrite | kAddIndex, "producer-new-index-generation-first",
     by_token_calls<new_index_generation_first>},
    {kAddIndex, "producer-new-index-no-increment", new_index_no_increment},

    {kUpdate, "inplace-generation-before-data", by_token_calls<generation_before_data>},
    {kUpdate, "inplace-generation-flushed", by_token_calls<generation_flushed>},
    {kUpdate, "inplace-content-before-tokens", by_token_calls<content_before_tokens>},
    {kUpdate, "inplace-token-values", tokens_of_the_commit},
    {kUpdate, "inplace-final-flush", by_token_calls<flushed_at_last>},

    {kAppend, "append-extends-list-members", extends_members},
    {kAppend, "append-list-leaf-first", by_token_calls<leaf_first>},
    {kAppend, "append-list-offsets-last", by_token_calls<offsets_last>},
    {kAppend, "append-list-keeps-committed-rows", keeps_lists},
    {kAppend, "producer-not-rely-on-member-fill", by_token_calls<writes_members>},
    {kTruncate, "truncate-list-without-writes", truncates_lists},
    {kReclaim, "reclaim-list-by-rewrite", cuts_lists},
};

// If one clause replaced another, failures of the older count for the newer.
struct Successor {
  ClauseId older, newer;
};
constexpr Successor kSuccessors[] = {
    {"column-is-direct-child-dataset", "column-stored-as-dataset-unless-list"},
    {"append-updates-indexes-before-commit", "append-index-content-before-commit"},
    {"truncate-updates-or-deletes-indexes", "producer-stale-content-fails-check"},
    {"inplace-updates-or-deletes-indexes", "producer-stale-content-fails-check"},
    {"mutation-follows-section-11", "mutation-follows-procedure"},
};

}  // namespace

std::span<const WriterCheck> token_checks() { return kTokenChecks; }

std::vector<std::string_view> predecessors(std::string_view clause) {
  std::vector<std::string_view> made;
  for (const Successor& each : kSuccessors)
    if (each.newer.str() == clause) made.push_back(each.older.str());
  return made;
}

}  // namespace hepcheck::hep001::suite
