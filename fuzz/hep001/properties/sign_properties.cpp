// The revision chosen for a table with features of either revision, and similar ones; and the
// revision that its VERSION declares.
#include <algorithm>
#include <format>

#include "fuzz/hep001/grammar/judge.h"
#include "fuzz/hep001/properties/random_values.h"
#include "validator/formats/hep001/rules/version.h"

namespace hepcheck::hep001::grammar {

namespace {

struct IndexSigns {
  std::string kind{};  // empty: none
  bool generation = false, nrows = false, exhaustive = false, unlisted = false, unread = false;
};
enum class Form : std::uint8_t { kNumber, kBoolean, kWideBoolean, kEnumeration };
struct ColumnSigns {
  Form form = Form::kNumber;
  bool two_dimensional = false, fill = false, fill_unread = false, unread = false;
  std::vector<std::size_t> listed{};  // positions of indexes
  bool null_reference = false;
};
struct Signs {
  bool generation = false, unlisted = false, indexed = false;
  std::vector<std::string> groups{};  // of which CLASS
  std::vector<IndexSigns> indexes{};
  std::vector<ColumnSigns> columns{};
};

std::ostream& operator<<(std::ostream& out, const Signs& signs) {
  out << "GENERATION " << signs.generation << ", unlisted " << signs.unlisted << ", indexed "
      << signs.indexed << ", groups of";
  for (const std::string& each : signs.groups) out << " \"" << each << '"';
  for (const IndexSigns& i : signs.indexes)
    out << "; index " << i.kind << ' ' << i.generation << i.nrows << i.exhaustive << i.unlisted
        << i.unread;
  for (const ColumnSigns& c : signs.columns) {
    out << "; column " << static_cast<int>(c.form) << ' ' << c.two_dimensional << c.fill
        << c.fill_unread << c.unread << c.null_reference << " lists";
    for (const std::size_t i : c.listed) out << ' ' << i;
  }
  return out;
}

// Few of them, because otherwise one nearly always outweighs the others.
Signs random_signs(Choices& c) {
  constexpr const char* kKinds[] = {"BITMAP", "CHUNK_BLOOM", "SORTED_ROWS", "bitmap", ""};
  constexpr const char* kClasses[] = {"", "LIST_COLUMN", "STRING_VALUES", "list_column"};
  constexpr Form kForms[] = {Form::kNumber, Form::kBoolean, Form::kWideBoolean, Form::kEnumeration};
  Signs signs{.generation = c.one_in(8), .unlisted = c.one_in(8), .indexed = !c.one_in(4)};
  for (std::uint64_t n = c.below(2); n > 0; --n) signs.groups.emplace_back(c.of(kClasses));
  for (std::uint64_t n = signs.indexed ? c.below(4) : 0; n > 0; --n)
    signs.indexes.push_back({.kind = c.of(kKinds),
                             .generation = c.one_in(10),
                             .nrows = c.one_in(10),
                             .exhaustive = c.one_in(3),
                             .unlisted = c.one_in(3),
                             .unread = c.one_in(8)});
  for (std::uint64_t n = c.below(4); n > 0; --n) {
    ColumnSigns column{.form = c.of(kForms),
                       .two_dimensional = c.one_in(3),
                       .fill = c.maybe(),
                       .fill_unread = c.one_in(4),
                       .unread = c.one_in(8)};
    for (std::size_t i = 0; i < signs.indexes.size(); ++i)
      if (c.maybe()) column.listed.push_back(i);
    column.null_reference = c.one_in(4);
    signs.columns.push_back(std::move(column));
  }
  return signs;
}

std::string index_name(std::size_t i) { return std::format("SEARCH_INDEXES/i{}", i); }
std::string column_name(std::size_t i) { return std::format("c{}", i); }

Datatype type_of(Form form) {
  switch (form) {
    case Form::kNumber: break;
    case Form::kBoolean: return boolean_type();
    case Form::kWideBoolean: return enum_type(integer_type(2, true), {{"FALSE", 0}, {"TRUE", 1}});
    case Form::kEnumeration: return enum_type(integer_type(1, true), {{"A", 0}, {"B", 1}});
  }
  return integer_type(4, true);
}

TableBuilder table_with(const Signs& signs) {
  const Attribute token = attribute("token", integer_type(8, false), Cell(1));
  const auto mark = [&](TableBuilder& t, const std::string& path, const char* name) {
    Attribute made = token;
    made.name = name;
    t.set(path, made);
  };
  TableBuilder t("/t", 0);
  if (signs.generation) mark(t, "", "GENERATION");
  if (signs.unlisted) t.attributes_unreadable("") = "cannot be listed";
  for (std::size_t i = 0; i < signs.groups.size(); ++i) {
    const std::string name = std::format("g{}", i);
    t.add_group(name);
    if (!signs.groups[i].empty()) t.set(name, ascii("CLASS", signs.groups[i]));
  }
  if (signs.indexed) t.add_group("SEARCH_INDEXES");
  for (std::size_t i = 0; i < signs.indexes.size(); ++i) {
    const IndexSigns& index = signs.indexes[i];
    Dataset& made = t.add_dataset(index_name(i), integer_type(8, false), {0});
    if (!index.kind.empty()) t.set(index_name(i), ascii("KIND", index.kind));
    if (index.generation) mark(t, index_name(i), "SOURCE_GENERATION");
    if (index.nrows) mark(t, index_name(i), "SOURCE_NROWS");
    if (index.exhaustive) mark(t, index_name(i), "exhaustive");
    if (index.unlisted) made.attributes_unreadable = "cannot be listed";
    if (index.unread) made.unreadable = "cannot be opened";
  }
  for (std::size_t i = 0; i < signs.columns.size(); ++i) {
    const ColumnSigns& column = signs.columns[i];
    const Datatype type = type_of(column.form);
    Dataset& made = t.add_dataset(
        column_name(i), type,
        column.two_dimensional ? std::vector<std::uint64_t>{0, 2} : std::vector<std::uint64_t>{0});
    if (column.fill) {
      made.storage.fill_state = FillState::kUserDefined;
      made.storage.fill.assign(type.size, std::byte{9});
    }
    if (column.fill_unread) made.storage.fill_unreadable = "no conversion";
    if (column.unread) made.unreadable = "cannot be opened";
    std::vector<Reference> listed;
    if (column.null_reference) listed.push_back(null_reference());
    for (const std::size_t at : column.listed) listed.push_back(t.to(index_name(at)));
    if (!listed.empty()) t.set(column_name(i), references("SEARCH_INDEX_LIST", listed));
  }
  return t;
}

struct Sign {
  std::string what{}, path{};
};

// Those of the newer revision, the decisive one first.
std::vector<Sign> newer_signs(const Signs& signs) {
  std::vector<Sign> found;
  if (signs.generation) found.push_back({"an attribute GENERATION", "/t"});
  for (std::size_t i = 0; i < signs.groups.size(); ++i)
    if (signs.groups[i] == "LIST_COLUMN")
      found.push_back({"a list column", std::format("/t/g{}", i)});
  for (std::size_t i = 0; i < signs.indexes.size(); ++i) {
    const IndexSigns& index = signs.indexes[i];
    const std::string path = "/t/" + index_name(i);
    if (index.unread) continue;
    if (index.generation) found.push_back({"an attribute SOURCE_GENERATION", path});
    if (index.nrows) found.push_back({"an attribute SOURCE_NROWS", path});
    if (index.exhaustive && index.kind == "BITMAP")
      found.push_back({"an attribute exhaustive", path});
  }
  for (std::size_t i = 0; i < signs.columns.size(); ++i) {
    const ColumnSigns& column = signs.columns[i];
    if (column.form == Form::kBoolean && !column.two_dimensional && !column.fill &&
        !column.fill_unread && !column.unread)
      found.push_back({"a boolean column without a fill value", "/t/" + column_name(i)});
  }
  for (std::size_t i = 0; i < signs.columns.size(); ++i) {
    const ColumnSigns& column = signs.columns[i];
    const bool enumeration = column.form == Form::kEnumeration || column.form == Form::kWideBoolean;
    for (const std::size_t at : column.listed)
      if (enumeration && !column.unread && !signs.indexes[at].unread &&
          signs.indexes[at].kind == "CHUNK_BLOOM")
        found.push_back({"CHUNK_BLOOM over an enumeration", "/t/" + column_name(i)});
  }
  return found;
}

std::vector<Sign> older_signs(const Signs& signs) {
  std::vector<Sign> found;
  for (std::size_t i = 0; i < signs.indexes.size(); ++i) {
    const IndexSigns& index = signs.indexes[i];
    if (!signs.unlisted && !index.kind.empty() && !index.unlisted && !index.unread)
      found.push_back({"search indexes without validity tokens", "/t/" + index_name(i)});
  }
  for (std::size_t i = 0; i < signs.columns.size(); ++i) {
    const ColumnSigns& column = signs.columns[i];
    if (column.form == Form::kBoolean && !column.two_dimensional && column.fill &&
        !column.fill_unread && !column.unread)
      found.push_back({"a boolean column with a fill value", "/t/" + column_name(i)});
  }
  return found;
}

void expect_choice(const Signs& signs) {
  TableBuilder table = table_with(signs);
  const RevisionChoice made = revision_by_signs(table.group());
  const std::vector<Sign> newer = newer_signs(signs), older = older_signs(signs);
  const bool is_older = newer.empty() && !older.empty();
  EXPECT_EQ(made.revision->spec, (is_older ? oldest() : newest()).id) << signs;
  const bool none = newer.empty() && older.empty();
  EXPECT_EQ(made.choice.by, none ? ChosenBy::kDefault : ChosenBy::kSign) << signs;
  const Sign sign = none ? Sign{} : is_older ? older.front() : newer.front();
  EXPECT_EQ(made.choice.sign, sign.what) << signs;
  EXPECT_EQ(made.choice.path, sign.path) << signs;
}

TEST(Signs, SelectTheRevision) {
  for (std::uint64_t seed = 1; seed <= 5000 && !testing::Test::HasFailure(); ++seed) {
    Noise choices(seed * 0x9e3779b97f4a7c15u);
    expect_choice(random_signs(choices));
  }
}

// --- VERSION -------------------------------------------------------------------------------------

// The interpretation of a text by 7.2, part by part.
VersionClaim slow_claim(const std::string& text) {
  using Kind = VersionClaim::Kind;
  std::vector<std::string> parts{""};
  bool digits = true;
  for (const char c : text)
    if (c == '.')
      parts.emplace_back();
    else
      parts.back() += c, digits &= c >= '0' && c <= '9';
  const bool whole = digits && std::ranges::none_of(parts, &std::string::empty);
  VersionClaim claim{.kind = Kind::kMalformed, .text = text};
  if (!whole || parts.size() < 2 || parts.size() > 3) return claim;
  const auto plain = [](const std::string& part) { return part == "0" || part[0] != '0'; };
  claim.two_components = parts.size() == 2 && plain(parts[0]) && plain(parts[1]);
  const double major = std::stod(parts[0]), minor = std::stod(parts[1]);
  claim.kind = major < 1   ? Kind::kEarlierMajor
               : major > 1 ? Kind::kLaterMajor
               : minor > 0 ? Kind::kLaterMinor
                           : Kind::kThis;
  return claim;
}

TEST(Versions, AreComparedAsNumbers) {
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    Noise c(seed * 0x9e3779b97f4a7c15u);
    constexpr const char* kParts[] = {"1", "0",  "1", "0", "00", "01",
                                      "2", "10", "",  "x", "1 ", "99999999999999999999999"};
    std::string text = c.of(kParts);
    for (std::uint64_t n = c.below(4); n > 0; --n) text += std::string(".") + c.of(kParts);
    TableBuilder table("/t", 0);
    table.set("", ascii("VERSION", text));
    const VersionClaim claim = version_claim(table.finish(oldest())), wanted = slow_claim(text);
    EXPECT_EQ(claim.kind, wanted.kind) << text;
    EXPECT_EQ(claim.text, text);
    EXPECT_EQ(claim.two_components, wanted.two_components) << text;
    // Only 1.0 is correct; another revision's 1.N is accepted for that revision.
    const SubjectReport report =
        examine(table.table, table.values, oldest(), {.only = {"version-value"}});
    const auto result = std::ranges::find_if(
        report.clauses, [](const ClauseResult& it) { return it.clause->id == "version-value"; });
    const bool other = wanted.kind == VersionClaim::Kind::kLaterMinor && wanted.two_components;
    if (wanted.kind == VersionClaim::Kind::kLaterMajor)
      EXPECT_EQ(report.verdict, SubjectVerdict::kUnsupported) << text;
    else
      EXPECT_EQ(result->verdict, other           ? Verdict::kNotApplicable
                                 : text == "1.0" ? Verdict::kPass
                                                 : Verdict::kFail)
          << text;
  }
}

TEST(Versions, AbsentVersionsClaimNothing) {
  TableBuilder table("/t", 0);
  table.erase("", "VERSION");
  const VersionClaim claim = version_claim(table.finish(oldest()));
  EXPECT_EQ(claim.kind, VersionClaim::Kind::kAbsent);
  EXPECT_FALSE(claim.two_components);
}

}  // namespace

}  // namespace hepcheck::hep001::grammar
