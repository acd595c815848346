// The interface of HEP001 to the core.
#include "validator/format.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "validator/formats/hep001/derive/shared_facts.h"
#include "validator/formats/hep001/reader/open_tables.h"
#include "validator/formats/hep001/storage/limited_values.h"
#include "validator/formats/hep001/table_conveyor.h"
#include "validator/worker_position.h"

namespace hepcheck::hep001 {

namespace {

// The superblock of an HDF5 file is at its beginning, or after a user block whose size is a power
// of two.
Likeness likeness(const Bytes& file) {
  constexpr std::array kSignature = {std::byte{0x89}, std::byte{'H'},  std::byte{'D'},
                                     std::byte{'F'},  std::byte{'\r'}, std::byte{'\n'},
                                     std::byte{0x1a}, std::byte{'\n'}};
  std::array<std::byte, kSignature.size()> bytes{};
  for (std::uint64_t at = 0; file.read(at, bytes); at = at == 0 ? 512 : 2 * at)
    if (bytes == kSignature) return Likeness::kCertain;
  return Likeness::kNone;
}

// The requested revision, otherwise the one whose features the table shows.
RevisionChoice choose(const Request& wanted, const Table& table) {
  if (!wanted.spec) return revision_by_signs(table.group);
  return {.revision = &revision_of(*wanted.spec), .choice = {.by = ChosenBy::kOption}};
}

// Whether a value of CLASS may be meant to be COLUMN_TABLE: the same letters, or two changes away.
bool resembles_table(std::string_view value) {
  constexpr std::string_view kMeant = "COLUMNTABLE";
  constexpr std::size_t kMost = 2;
  std::string letters;
  for (const char c : value.substr(0, 100)) {
    if (c >= 'a' && c <= 'z') letters += static_cast<char>(c - 'a' + 'A');
    if ((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) letters += c;
  }
  // The distance between the beginnings of both, row by row.
  std::vector<std::size_t> row(kMeant.size() + 1);
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < kMeant.size(); ++j) {
      const std::size_t changed = diagonal + (letters[i] != kMeant[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, diagonal + 1, row[j] + 1});
    }
  }
  return row.back() <= kMost;
}

// One sentence, with the ways on where it is an error.
std::string no_table(const std::string& near) {
  if (!near.empty()) return "no HEP001 table: " + near + " instead of \"COLUMN_TABLE\"";
  return "no HEP001 table: no group has CLASS = COLUMN_TABLE";
}
constexpr const char* kWaysOn =
    "; --spec hdf5 checks the file itself, --allow-no-tables accepts files without a table";

// A value of CLASS that is probably misspelled is an error in any case.
void tell_absent(const std::string& near, const Request& wanted, FileReport& into) {
  if (wanted.absent) wanted.absent->why = no_table(near);
  if (!wanted.absent || !near.empty())
    into.error = Error{into.path, no_table(near) + (near.empty() ? kWaysOn : "")};
}

// No table was found, and part of the file, or all of it, cannot be read.
void tell_unreachable(std::string why, Error reason, const Request& wanted) {
  if (wanted.absent) *wanted.absent = {.why = std::move(why), .unreachable = std::move(reason)};
}

// The facts of all tables: read from the file, a share of them for another process, or those of
// other processes.
class FactsOfTables {
 public:
  FactsOfTables(ValueSource& values, const FileOptions& options, const FileMark& file)
      : values_(values), options_(options), mine_{.file = file, .share = options.share} {}

  void use(FactsOfShares shares) { shares_ = std::move(shares); }
  Result<std::optional<TableFacts>> of(const Table& table, const TableJudge& judge) {
    if (!shares_) return judge.facts(table, values_, options_.share);
    if (!judge.needs_facts_of(table)) return std::nullopt;
    return shares_->take(table);
  }
  // Keeps them for the process that judges.
  void keep(const Table& table, std::optional<TableFacts> facts) {
    if (facts)
      mine_.tables.push_back({.path = table.path(),
                              .revision = std::string(table.revision->spec),
                              .facts = *std::move(facts)});
  }
  void pass_on(std::uint64_t value_bytes) {
    mine_.value_bytes = value_bytes;
    options_.on_facts(to_bytes(mine_));
  }

 private:
  ValueSource& values_;
  const FileOptions& options_;
  SharedFacts mine_;
  std::optional<FactsOfShares> shares_{};
};

void examine_opened(TableFile& file, const Bytes& bytes, const Request& wanted, FileReport& into) {
  LimitedValues values(file.values(), wanted.options.limits, file.bytes());
  const FileMark mark = mark_of(bytes.descriptor(), bytes.size());
  FactsOfTables facts_of(values, wanted.options, mark);
  if (!wanted.options.facts.empty()) {
    Result<FactsOfShares> shares = FactsOfShares::of(wanted.options.facts, mark);
    if (!shares) {
      into.error = Error{into.path, shares.error().text()};
      return;
    }
    // One process would have reached a limit, and where it did is part of the report.
    if (values.permits(shares->value_bytes())) facts_of.use(std::move(*shares));
  }
  const TableJudges judges(wanted.options.examine);
  const TableConveyor::Prepare prepare = [&](Table& table) {
    RevisionChoice choice = choose(wanted, table);
    assign_roles(table, *choice.revision);
    return choice;
  };
  TableConveyor tables(judges, wanted.options, prepare, into.subjects);
  const bool values_wanted = wanted.options.examine.depth == Depth::kFull ||
                             wanted.options.on_facts || !wanted.options.facts.empty();
  const auto add = [&](Table&& table) {
    if (!values_wanted) return tables.add(std::move(table));
    RevisionChoice choice = prepare(table);
    now_at(Stage::kValues, table.path());
    Result<std::optional<TableFacts>> facts = facts_of.of(table, judges.of(*choice.revision));
    if (!facts)
      into.error = facts.error();
    else if (wanted.options.on_facts)
      facts_of.keep(table, *std::move(facts));
    else
      tables.add(std::move(table), *std::move(facts), std::move(choice.choice));
  };
  std::string near;
  if (wanted.subject) {
    if (Result<Table> table = read_table_at(file, *wanted.subject))
      add(std::move(*table));
    else
      into.error = table.error();
  } else {
    for_each_table(file,
                   {.table = [&](Table&& table) { add(std::move(table)); },
                    .unreadable = [&](Error error) { into.unreadable.push_back(std::move(error)); },
                    .other =
                        [&](const std::string& path, const std::string& value) {
                          if (near.empty() && resembles_table(value))
                            near = "the group " + path + " has CLASS = \"" + value + '"';
                        }});
  }
  tables.finish();
  if (wanted.options.on_facts) return facts_of.pass_on(values.spent());
  for (Error& remark : file.remarks()) into.unreadable.push_back(std::move(remark));
  if (wanted.subject || into.error || !into.subjects.empty()) return;
  if (!into.unreadable.empty())
    tell_unreachable("no HEP001 table was found, and not everything can be read",
                     into.unreadable.front(), wanted);
  else if (!wanted.options.allow_no_subjects)
    tell_absent(near, wanted, into);
}

void examine(const Bytes& file, const Request& wanted, FileReport& into) {
  const auto opened = open_tables(file, wanted.options);
  if (opened) return examine_opened(**opened, file, wanted, into);
  into.error = opened.error();
  if (likeness(file) != Likeness::kNone)
    tell_unreachable("HEP001 tables cannot be looked for: " + into.error->cause, *into.error,
                     wanted);
}

constexpr FigureWords kFigures[] = {{"nrows", "row", "rows", true},
                                    {"columns", "column", "columns", true},
                                    {"categories", "category", "categories"},
                                    {"indexes", "search index", "search indexes"}};
constexpr FigureWords kPartFigures[] = {{"chunks", "chunk", "chunks"}};
constexpr std::string_view kTags[] = {"HEP001", "HDF5"};
constexpr std::string_view kEndings[] = {".h5", ".hdf5", ".he5", ".hdf"};

constexpr TableGroups kTableGroups = {.attribute = "CLASS",
                                      .value = "COLUMN_TABLE",
                                      .indexes = "SEARCH_INDEXES",
                                      .categories = "CATEGORIES"};

}  // namespace

extern const Format kFormat;
const Format kFormat = {.name = "hep001",
                        .title = "HEP001",
                        .subject = "table",
                        .absent = "no table group",
                        .parts = "columns",
                        .labels = "indexes",
                        .tags = kTags,
                        .figures = kFigures,
                        .part_figures = kPartFigures,
                        .endings = kEndings,
                        .recognise = likeness,
                        .prepare = prepare_readers,
                        .examine = examine,
                        .rules = rule_heads,
                        .container = "hdf5",
                        .table_groups = &kTableGroups};

}  // namespace hepcheck::hep001
