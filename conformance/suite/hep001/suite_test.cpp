// Tests the parts of the suite separately.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <format>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "conformance/corpus.h"
#include "conformance/suite/engine/session.h"
#include "conformance/suite/hep001/compare.h"
#include "conformance/suite/hep001/crash_replay.h"
#include "conformance/suite/hep001/inspect.h"
#include "conformance/suite/hep001/memory_file.h"
#include "conformance/suite/hep001/reader.h"
#include "conformance/suite/hep001/recording.h"
#include "conformance/suite/hep001/writer.h"
#include "conformance/suite/hep001/writer_checks.h"
#include "validator/wildcard.h"

namespace hepcheck::hep001::suite {
namespace {

using namespace std::chrono_literals;

const Json kInt64{{"class", "integer"}, {"size", 8}, {"order", "little"}, {"signed", true}};
const Json kFloat64{{"class", "float"}, {"size", 8}, {"order", "little"}};

Json bits(const char* hex) { return {{"bits", hex}}; }

TEST(Values, Base64RoundTrips) {
  EXPECT_EQ(base64("abc"), "YWJj");
  EXPECT_EQ(base64("ab"), "YWI=");
  for (std::string bytes; bytes.size() < 300; bytes += static_cast<char>(bytes.size() * 7))
    EXPECT_EQ(from_base64(base64(bytes)), bytes);
  EXPECT_FALSE(from_base64("YW"));
  EXPECT_FALSE(from_base64("Y W="));
}

TEST(Values, Order) {
  const auto below = [](const char* a, const char* b) { return less(kInt64, a, b); };
  EXPECT_TRUE(below("-9223372036854775808", "-9223372036854775807"));
  EXPECT_TRUE(below("9", "10"));
  EXPECT_TRUE(below("-10", "-9"));
  EXPECT_TRUE(below("9223372036854775807", "18446744073709551615"));
  EXPECT_FALSE(below("0", "0"));
  EXPECT_TRUE(less(kFloat64, bits("bff0000000000000"), bits("0000000000000000")));
  EXPECT_FALSE(less(kFloat64, bits("7ff8000000000000"), bits("0000000000000000")));
  EXPECT_TRUE(equal_values(kFloat64, bits("8000000000000000"), bits("0000000000000000")));
  EXPECT_TRUE(is_nan(bits("fff8000000000001")));
  EXPECT_TRUE(is_nan(bits("7e00")));
  EXPECT_FALSE(is_nan(bits("7c00")));
}

TEST(Values, ReadableFormsAreIgnored) {
  EXPECT_TRUE(same(Json{{"bits", "3c00"}, {"value", "1"}}, Json{{"bits", "3c00"}}));
  EXPECT_FALSE(same(bits("8000"), bits("0000")));
  EXPECT_TRUE(
      same(Json::array({Json{{"bits", "3c00"}, {"value", "1.0"}}}), Json::array({bits("3c00")})));
}

TEST(Values, OrderOfMembersDoesNotMatter) {
  const Json sorted{{"class", "integer"}, {"order", "little"}, {"signed", true}, {"size", 8}};
  EXPECT_FALSE(type_difference(kInt64, sorted));
  EXPECT_TRUE(type_difference(kInt64, kFloat64));
  EXPECT_FALSE(type_difference(Json{{"class", "vlen"}, {"base", kInt64}},
                               Json{{"base", sorted}, {"class", "vlen"}}));
}

TEST(Values, MaliciousOnesCanBeDisplayed) {
  EXPECT_EQ(shown(Json{{"value", 1.5}, {"bits", "3e00"}}), "1.5 (3e00)");
  EXPECT_EQ(shown(Json{{"value", 1}, {"bits", 5}}), R"({"value":1,"bits":5})");
}

TEST(Values, InvalidCodesHaveNoLabels) {
  const CategoriesContent categories{.labels = {"low", "high"}};
  EXPECT_EQ(categories.label("1"), "high");
  for (const Json& code : {Json("2"), Json("-1"), Json(), Json::array({"0"})})
    EXPECT_TRUE(categories.label(code).is_null()) << code;
}

TEST(Wildcards, CrossSlashes) {
  EXPECT_TRUE(fits("valid/8.5/x--y.h5", "valid/8.*/x--*.h5"));
  EXPECT_TRUE(fits("valid/8.5/x--y.h5", "*--y*"));
  EXPECT_FALSE(fits("invalid/8.5/x", "valid/8.*"));
  EXPECT_TRUE(fits("", "*"));
}

Exchange ask(const char* script, std::chrono::milliseconds patience = 5s) {
  Program program({.command = {"sh", "-c", script}});
  return program.exchange("hello", patience);
}

TEST(Programs, EveryEndingIsReported) {
  EXPECT_EQ(ask("read line; echo \"$line again\"").line, "hello again");
  const Exchange crashed = ask("read line; echo oops >&2; kill -SEGV $$");
  EXPECT_EQ(crashed.ending, Ending::kCrashed);
  EXPECT_NE(crashed.why.find("signal 11"), std::string::npos) << crashed.why;
  EXPECT_NE(crashed.why.find("oops"), std::string::npos) << crashed.why;
  EXPECT_NE(ask("exit 7").why.find("exit status 7"), std::string::npos);
  EXPECT_EQ(ask("sleep 60", 100ms).ending, Ending::kTimedOut);
  EXPECT_EQ(ask("exec >&-; sleep 60", 3s).ending, Ending::kCrashed);
  Program nowhere({.command = {"/no/such/program"}});
  EXPECT_EQ(nowhere.exchange("hello", 1s).ending, Ending::kStartFailed);
}

TEST(Programs, StayWithinTheirLimits) {
  const std::string folder = testing::TempDir() + "takes-too-much";
  std::filesystem::create_directories(folder);
  const auto asked = [&](const char* script) {
    Program program({.command = {"sh", "-c", script},
                     .folder = folder,
                     .memory = std::uint64_t{200} << 20,
                     .storage = std::uint64_t{50} << 20});
    return program.exchange("hello", 20s);
  };
  // tail keeps a line without an end.
  const Exchange memory = asked("head -c 2000M /dev/zero | tail; sleep 60");
  EXPECT_EQ(memory.ending, Ending::kTooMuch) << memory.why;
  EXPECT_NE(memory.why.find("200 MiB of memory"), std::string::npos) << memory.why;
  const Exchange files =
      asked("for i in 1 2 3; do head -c 20M /dev/zero > \"$TMPDIR/$i\"; done; sleep 60");
  EXPECT_EQ(files.ending, Ending::kTooMuch) << files.why;
  EXPECT_EQ(asked("exec head -c 60M /dev/zero > \"$TMPDIR/one\"").ending, Ending::kCrashed);
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST(Programs, OutputIsLimited) {
  EXPECT_EQ(ask("head -c 20M /dev/zero; sleep 60", 20s).ending, Ending::kBabbled);
  EXPECT_EQ(ask("while :; do echo x >&2; done", 300ms).ending, Ending::kTimedOut);
  EXPECT_EQ(ask("read l; printf half; sleep 60", 200ms).ending, Ending::kTimedOut);
  EXPECT_EQ(ask("read l; printf half; exit 0").ending, Ending::kCrashed);
  Program talkative({.command = {"sh", "-c", "while read l; do echo one; echo two; done"}});
  EXPECT_EQ(talkative.exchange("hello", 5s).line, "one");
  std::this_thread::sleep_for(200ms);
  EXPECT_EQ(talkative.exchange("hello", 5s).ending, Ending::kBabbled);
}

// Including processes that have left its process group, and those that outlive it.
TEST(Programs, EndWithTheirChildProcesses) {
  for (const char* script :
       {"sleep 1234 & read l; echo $!; read l", "setsid sleep 1234 & read l; echo $!",
        "read l; (setsid sleep 1234 & echo $! >&3) 3>&1"}) {
    pid_t started = 0;
    {
      Program program({.command = {"sh", "-c", script}});
      started = std::stoi(program.exchange("hello", 5s).line);
      ASSERT_GT(started, 0) << script;
    }
    EXPECT_NE(::kill(started, 0), 0) << script;
  }
}

TEST(Programs, HaveEachEnvironmentVariableOnce) {
  ::setenv("HEPCHECK_TEST_VARIABLE", "ours", 1);
  Program program({.command = {"sh", "-c", "read l; env | grep -c ^HEPCHECK_TEST_VARIABLE="},
                   .environment = {"HEPCHECK_TEST_VARIABLE=theirs"}});
  EXPECT_EQ(program.exchange("hello", 5s).line, "1");
}

TEST(Programs, AreRestarted) {
  Program program({.command = {"sh", "-c", "read line; echo $line"}});
  EXPECT_EQ(program.exchange("one", 5s).line, "one");
  EXPECT_EQ(program.exchange("two", 5s).ending, Ending::kCrashed);
  EXPECT_EQ(program.exchange("three", 5s).line, "three");
}

TEST(Sessions, DistinguishNonsenseFromAnswers) {
  const auto kind = [](const char* reply) {
    const std::string script = std::string("while read line; do echo '") + reply + "'; done";
    Session session(std::make_unique<Program>(Launch{.command = {"sh", "-c", script}}), {});
    return session.call({{"op", "describe"}}).kind;
  };
  // The first request to a process that was not greeted is the greeting, number 1.
  using enum Reply::Kind;
  EXPECT_EQ(kind("hello?"), kNonsense);
  EXPECT_EQ(kind("[]"), kNonsense);
  const auto nested = [&](std::size_t depth) {
    const std::string refusal = R"({"id": 1, "error": {"kind": "refused", "message": ")";
    return kind((refusal + std::string(500, '[') + "\"}, \"more\": " + std::string(depth, '[') +
                 std::string(depth, ']') + "}")
                    .c_str());
  };
  EXPECT_EQ(nested(100), kRefused);  // brackets in a string do not count
  EXPECT_EQ(nested(10'000), kNonsense);
  EXPECT_EQ(kind(R"({"id": 99, "ok": {}})"), kNonsense);
  EXPECT_EQ(kind(R"({"id": 1})"), kNonsense);
  EXPECT_EQ(kind(R"({"id": 1, "ok": []})"), kNonsense);
  EXPECT_EQ(kind(R"({"id": 1, "error": "no"})"), kNonsense);
  EXPECT_EQ(kind(R"({"id": 1, "error": {"kind": "refused", "message": "no"}})"), kRefused);
  EXPECT_EQ(kind(R"({"id": 1, "error": {"kind": "failed", "message": "no"}})"), kError);
}

TEST(Replies, ExpensiveOnesAreNotParsed) {
  std::string members = R"({"id": 1, "ok": {)";
  for (int i = 0; i < 2000; ++i) members += "\"" + std::to_string(i) + "\": 0, ";
  const Reply many = parse_reply(members + "\"x\": 0}}", 1);
  EXPECT_EQ(many.kind, Reply::Kind::kNonsense);
  EXPECT_NE(many.message.find("too many members"), std::string::npos) << many.message;
  // Colons in a string do not count, nor do those of other objects.
  EXPECT_TRUE(parse_reply(R"({"id": 1, "ok": {"x": ")" + std::string(5000, ':') + "\"}}", 1).ok());
  std::string objects = R"({"id": 1, "ok": {"x": [)";
  for (int i = 0; i < 2000; ++i) objects += R"({"a": 0, "b": 1},)";
  EXPECT_TRUE(parse_reply(objects + "0]}}", 1).ok());
}

TEST(Replies, HelloFollowsTheProtocol) {
  const auto error = [](const char* text) {
    const Parsed<Hello> hello = parse_hello(Json::parse(text), kWords);
    return hello ? std::string() : hello.error();
  };
  EXPECT_EQ(error(R"({"protocol": 1, "name": "x", "capabilities": {"operations": []}})"), "");
  EXPECT_EQ(error(R"({"protocol": 1, "name": "x", "capabilities": 7})"), "hello: no operations");
  EXPECT_EQ(error(R"({"protocol": 1, "name": 7, "capabilities": {}})"),
            "hello: name is not a string");
  EXPECT_EQ(error(R"({"protocol": 1, "name": "", "capabilities": {"operations": [1]}})"),
            "hello: operations holds what is not a string");
  for (const char* version : {"", "1", "1.", ".0", "1.x", "-1.0", "99999999999.0"})
    EXPECT_NE(error(std::format(R"({{"protocol": 1, "name": "x", "capabilities":
                                  {{"operations": [], "version": "{}"}}}})",
                                version)
                        .c_str()),
              "")
        << version;
  const Parsed<Hello> odd = parse_hello(
      Json::parse(R"({"protocol": 1, "name": "x", "capabilities": {"operations": ["apend"]}})"),
      kWords);
  ASSERT_TRUE(odd);
  EXPECT_EQ(odd->unknown, std::vector<std::string>{"operations: apend"});
}

TEST(Replies, RowsAreDecimalsInIncreasingOrder) {
  const auto fits_in = [](const char* rows) {
    return parse_answer(Json::parse(std::string(R"({"rows": )") + rows + "}")).has_value();
  };
  EXPECT_TRUE(fits_in(R"([])"));
  EXPECT_TRUE(fits_in(R"(["0", "7", "18446744073709551615"])"));
  for (const char* wrong :
       {R"(["1", "0"])", R"(["1", "1"])", R"([1])", R"(["01"])", R"(["-1"])", R"([""])",
        R"(["+1"])", R"(["18446744073709551616"])", R"("0")", R"(null)"})
    EXPECT_FALSE(fits_in(wrong)) << wrong;
}

TEST(Inspections, ContentIsTransmittedUnchanged) {
  for (const char* pattern : {"valid/12/index-content-correct--every-family.h5",
                              "valid/2/consumer-lossless-read--awkward-texts.h5",
                              "valid/8.3/any-datatype--one-of-each-class.h5"}) {
    const auto fixture =
        std::ranges::find(conformance::corpus(), pattern, &conformance::Fixture::file);
    ASSERT_NE(fixture, conformance::corpus().end()) << pattern;
    const std::string path = testing::TempDir() + "inspected.h5";
    write_image(path,
                {reinterpret_cast<const char*>(fixture->image.data()), fixture->image.size()});
    const Result<FileContent> here = read_content(fixture->image, default_revision("hep001"));
    ASSERT_TRUE(here);
    const Inspection there = inspect(path, default_revision("hep001"), 1);
    EXPECT_FALSE(there.report.error);
    ASSERT_TRUE(there.content);
    EXPECT_EQ(packed(*there.content), packed(*here));
    EXPECT_EQ(there.readable.size(), here->front().columns.size());
    EXPECT_FALSE(unpacked(packed(*here).substr(1)));
  }
}

// Whatever the library does with the file, the inspection returns.
TEST(Inspections, SurviveCrashesOfTheLibrary) {
  const std::string harmful =
      HEPCHECK_SOURCE "/fuzz/hdf5-findings/fill-value-shorter-than-its-datatype.h5";
  const Inspection found = inspect(harmful, default_revision("hep001"), 1);
  EXPECT_TRUE(found.report.error || found.content);
  EXPECT_TRUE(inspect("/no/such/file", default_revision("hep001"), 1).report.error);
  EXPECT_TRUE(inspect("/dev/null", default_revision("hep001"), 1).report.error);
}

TEST(Descriptions, ParserNamesMissingMembers) {
  EXPECT_EQ(parse_description(Json::object()).error(), "describe: no tables");
  const Json table{{"path", "/t"}, {"version", "1.0"}, {"rows", 5}};
  EXPECT_EQ(parse_description({{"tables", {table}}}).error(), "describe: rows is not a string");
}

using Kind = trace::Event::Kind;

trace::Event put(std::uint64_t at, std::string_view data, trace::FileNumber file = 0) {
  return {.kind = Kind::kWrite, .file = file, .position = at, .data = data};
}
Recording recording_of(std::vector<trace::Event> operations) {
  return {.operations = std::move(operations), .files = {"f", "g#1"}};
}
Folder just(const std::string& name, Image image) {
  return {.names = {{name, name}}, .files = {{name, std::move(image)}}};
}
// The states of the file f that crashes can leave.
std::set<Image> crashed(const Recording& recording, const CrashOptions& options,
                        const Folder& before) {
  std::set<Image> images;
  for (const trace::State& state : crash_states(recording, options)) {
    const Folder folder = folder_of(state, recording, before);
    images.insert(folder.find("f") ? *folder.find("f") : "none");
  }
  return images;
}

TEST(Crashes, PrefixesAndSubsetsBetweenBarriers) {
  Recording recording = recording_of({put(0, "a"), put(1, "b"), put(2, "c"), put(1, "B")});
  recording.barriers = {2, 4};
  const Folder before = just("f", "xxxx");
  EXPECT_EQ(*recording.replay(before).find("f"), "aBcx");
  EXPECT_EQ(crash_states(recording, {}).size(), 5u);
  // Any one of the first two operations, and with both of them any of the others.
  EXPECT_EQ(crashed(recording, {.states = {.any = true}}, before),
            (std::set<Image>{"xxxx", "axxx", "xbxx", "abxx", "abcx", "aBxx", "aBcx"}));
}

TEST(Crashes, ManyStatesAreSampled) {
  std::vector<trace::Event> operations;
  for (std::uint64_t i = 0; i < 40; ++i) operations.push_back(put(i, "x"));
  Recording recording = recording_of(operations);
  recording.barriers = {40};
  const auto sample = [&](std::uint64_t seed) {
    std::string all;
    const auto states = crash_states(recording, {.states = {.any = true, .seed = seed}});
    EXPECT_EQ(states.size(), 41u + 24u + 1u);  // at the end nothing is left to choose
    for (const trace::State& state : states) all += state.how() + "\n";
    return all;
  };
  EXPECT_EQ(sample(7), sample(7));
  EXPECT_NE(sample(7), sample(8));
}

TEST(Crashes, TornWrites) {
  const std::string many(600, 'z');
  const Recording recording = recording_of({put(0, "abc"), put(1, many)});
  std::set<std::size_t> cuts;
  for (const trace::State& state : crash_states(recording, {.states = {.torn = true}}))
    if (state.kind == trace::State::Kind::kTorn && state.applied.size() == 2)
      cuts.insert(state.cut);
  for (const std::size_t cut : {300u, 512u}) EXPECT_TRUE(cuts.contains(cut)) << cut;
  EXPECT_EQ(cuts.size(), 3u);  // and one at another byte
  const auto images = crashed(recording, {.states = {.torn = true}}, just("f", "xyz"));
  EXPECT_TRUE(images.contains("ayz"));
  EXPECT_TRUE(images.contains("xbc"));
}

// If a file is replaced, only synced contents are certain to exist.
TEST(Crashes, SyncsAffectOnlyTheirFileOrDirectory) {
  Recording recording =
      recording_of({{.kind = Kind::kCreate, .file = 1, .data = "g"},
                    put(0, "new", 1),
                    {.kind = Kind::kRename, .file = 1, .data = "f", .from = "g"}});
  const Folder before = just("f", "old");
  const CrashOptions options{.states = {.any = true}, .by_sync = true};
  EXPECT_EQ(crashed(recording, options, before), (std::set<Image>{"old", "", "new"}));
  recording.syncs = {{.before = 2, .what = "f"}, {.before = 2, .of_folder = true, .what = ""}};
  EXPECT_EQ(crashed(recording, options, before), (std::set<Image>{"old", "", "new"}));
  recording.syncs = {{.before = 2, .what = "g#1"}, {.before = 3, .of_folder = true, .what = ""}};
  EXPECT_EQ(crashed(recording, options, before), (std::set<Image>{"old", "new"}));
  recording.syncs.insert(recording.syncs.begin(), {.before = 1, .what = "g#1"});
  EXPECT_EQ(crashed(recording, options, before), (std::set<Image>{"old", "new"}));
}

// The checksum is correct if a file of the library itself is reproduced unchanged.
TEST(Crashes, ConsistencyFlagsAreCleared) {
  const conformance::Fixture& fixture =
      *std::ranges::find(conformance::corpus(), "valid/14.1/worked-example-accepted--five-rows.h5",
                         &conformance::Fixture::file);
  const Image clean(reinterpret_cast<const char*>(fixture.image.data()), fixture.image.size());
  Image open = clean;
  EXPECT_FALSE(clear_consistency_flags(open));
  open[11] = 5;
  open[44] ^= 1;  // other flags have another checksum
  EXPECT_TRUE(clear_consistency_flags(open));
  EXPECT_EQ(open, clean);
}

TEST(Tables, CommittedTablesAreUsable) {
  std::set<std::string> names;
  for (const Json& entry : committed_descriptions()) {
    EXPECT_TRUE(names.insert(entry.at("name")).second);
    EXPECT_FALSE(entry.at("shows").get<std::string>().empty());
    const TableContent content = described(entry.at("table"));
    for (const ColumnContent& column : content.columns)
      EXPECT_EQ(column.values.size(), content.rows) << entry.at("name") << ' ' << column.name;
  }
  EXPECT_GT(names.size(), 12u);
}

TEST(Tables, RandomTablesAreReproducibleAndShrink) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Json table = random_description(seed);
    EXPECT_EQ(table, random_description(seed));
    for (const Json& less : smaller(table)) {
      EXPECT_LT(less.dump().size(), table.dump().size());
      const TableContent content = described(less);
      for (const ColumnContent& column : content.columns)
        EXPECT_EQ(column.values.size(), content.rows);
    }
  }
}

// The states that a crash can leave of a table that a program appends to.
class Replayed {
 public:
  explicit Replayed(const Image& left) {
    const std::string file = "table.h5";
    Recording recording{.operations = {put(0, left)}, .files = {file}, .barriers = {1}};
    step_.file = file;
    step_.before = {.path = "/t"};
    step_.before_files = just(file, "");
    step_.after_files = recording.replay(step_.before_files);
    step_.recording = std::move(recording);
    replay_.judge(step_, {kClause, step_, can_, outcomes_});
  }
  std::string observed() const {
    for (const auto& [clause, outcome] : outcomes_)
      for (const Finding& finding : outcome.findings) return finding.observed;
    return "";
  }
  std::vector<std::string> notes() const { return replay_.notes(); }

 private:
  static constexpr std::string_view kClause = "producer-every-table-conformant";
  Capabilities can_{};
  Step step_{.operation = kAppend};
  Outcomes outcomes_{};
  CrashReplay replay_{{.spec = find_specification("hep001-2026-06-16")}, can_};
};

// They are read in a sandboxed process, whatever the library does with them.
TEST(Crashes, StatesThatCrashTheLibraryAreUnreadable) {
  const Replayed harmful(
      read_image(HEPCHECK_SOURCE "/fuzz/hdf5-findings/fill-value-shorter-than-its-datatype.h5"));
  EXPECT_EQ(harmful.observed(), "the table cannot be read");
  EXPECT_TRUE(harmful.notes().front().starts_with("2 states")) << harmful.notes().front();
}

// A background process of the program has no path to it, and cannot change it.
TEST(MemoryFiles, CannotBeModified) {
  const Image bytes = "abcdef";
  const Result<Descriptor> file = memory_file(bytes);
  ASSERT_TRUE(file);
  Image read(bytes.size() + 1, '\0');
  EXPECT_EQ(::pread(file->get(), read.data(), read.size(), 0), 6);
  EXPECT_EQ(read.substr(0, 6), bytes);
  EXPECT_EQ(::pwrite(file->get(), "x", 1, 0), -1);
  EXPECT_EQ(::ftruncate(file->get(), 0), -1);
  EXPECT_EQ(::ftruncate(file->get(), 100), -1);
}

// The library handles a file of the program only in a sandboxed process.
TEST(Inspections, EditsAreTransmitted) {
  const auto fixture =
      std::ranges::find(conformance::corpus(), "valid/12/index-content-correct--every-family.h5",
                        &conformance::Fixture::file);
  ASSERT_NE(fixture, conformance::corpus().end());
  const Image image(reinterpret_cast<const char*>(fixture->image.data()), fixture->image.size());
  const auto edit = [&](const std::string& path) {
    const libhdf5::Edit edits[] = {
        {.kind = libhdf5::Edit::Kind::kSetNumber, .path = path, .name = "NROWS", .number = 1}};
    return edited_safely(image, edits);
  };
  const std::optional<Image> made = edit(fixture->group);
  ASSERT_TRUE(made);
  const auto content =
      read_content(std::as_bytes(std::span(*made)), *find_specification("hep001-2026-06-16"));
  ASSERT_TRUE(content);
  EXPECT_EQ(content->front().rows, 1u);
  EXPECT_FALSE(edit("/nowhere"));
}

// A log as written by the recorder: two files, a flush of the file and one of a dataset.
TEST(Crashes, RecordingIsReadFromTheLog) {
  const std::string path = testing::TempDir() + "record.log";
  ASSERT_TRUE(trace::begin_log(path));
  std::ofstream log(path, std::ios::binary | std::ios::app);
  const auto record = [&](char kind, std::uint64_t inode, std::uint64_t at, std::string_view data) {
    const auto length = static_cast<std::uint32_t>(data.size());
    log << kind << '\xff' << '\0' << '\0';
    log.write(reinterpret_cast<const char*>(&length), 4);
    log.write(reinterpret_cast<const char*>(&inode), 8)
        .write(reinterpret_cast<const char*>(&at), 8);
    log << data;
  };
  record('O', 1, 0, "f");
  record('N', 2, 0, "g");
  record('W', 1, 0, "a");
  record('A', 1, 0, "dataset-flush /t/x");
  record('A', 1, 0, "flushing");
  record('W', 2, 0, "b");
  record('A', 1, 0, "flush");
  record('S', 2, 0, "");
  record('W', 1, 1, "c");
  log.flush();
  const auto read = read_recording(path);
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->unseen);
  EXPECT_EQ(read->files, (std::vector<FileId>{"f", "g#1"}));
  EXPECT_EQ(read->operations.size(), 4u);  // including the creation of g
  EXPECT_EQ(read->barriers, (std::vector<std::size_t>{3, 4}));
  EXPECT_EQ(read->calls.size(), 2u);
  ASSERT_EQ(read->syncs.size(), 1u);
  EXPECT_EQ(read->syncs[0].what, "g#1");
  const Folder after = read->replay(just("f", ""));
  EXPECT_EQ(*after.find("f"), "ac");
  EXPECT_EQ(*after.find("g"), "b");
  record('W', 3, 0, "x");  // a file that was opened earlier
  log.flush();
  EXPECT_TRUE(read_recording(path)->unseen);
  record('W', 1, ~std::uint64_t{0} - 2, "far");
  log.flush();
  EXPECT_FALSE(read_recording(path));
}

std::vector<LibraryCall> calls(std::initializer_list<const char*> lines) {
  std::vector<LibraryCall> made;
  for (const char* line : lines) made.push_back({line});
  return made;
}

TEST(Appends, CallsAreOrdered) {
  const TableContent before{.path = "/t", .rows = 5, .columns = {{{.name = "x"}}}};
  const auto right = append_calls(calls({"extent 8 /t/x", "data-write 5 3 /t/x", "flush",
                                         "attribute-write NROWS 8 /t", "flush"}),
                                  before);
  ASSERT_TRUE(right);
  EXPECT_EQ(right->commit, 3u);
  EXPECT_EQ(right->first_row, 5u);
  EXPECT_FALSE(right->late);
  EXPECT_TRUE(right->flushed_before && right->flushed_after);
  const auto wrong = append_calls(
      calls({"flush", "attribute-write NROWS 8 /t", "data-write 4 4 /t/x",
             "attribute-write SEARCH_INDEX_LIST - /t/x", "attribute-write NROWS 8 /t"}),
      before);
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->first_row, 4u);
  EXPECT_EQ(wrong->late_rows, 2u);
  EXPECT_EQ(wrong->late_index, 3u);
  EXPECT_EQ(wrong->late, 2u);
  EXPECT_FALSE(wrong->flushed_before || wrong->flushed_after);
  EXPECT_FALSE(append_calls(calls({"extent 8 /t/x"}), before));
}

TEST(Tables, OnlyCompleteTablesAreContinued) {
  const ColumnContent full{{.name = "x"}, {"1", "2"}};
  EXPECT_TRUE(whole({.rows = 2, .columns = {full}}));
  EXPECT_FALSE(whole({.rows = 3, .columns = {full}}));  // NROWS exceeds the stored rows
  EXPECT_FALSE(whole({.rows = 0}));
  ColumnContent lost = full;
  lost.unreadable = "a heap that is not there";
  EXPECT_FALSE(whole({.rows = 2, .columns = {full, lost}}));
}

TEST(Checks, EveryConsumerClauseHasACheck) {
  for (const Clause& clause : find_specification("hep001-2026-06-16")->clauses) {
    if (clause.subject != Subject::kConsumer) continue;
    const auto count = std::ranges::count_if(
        consumer_checks(), [&](const ConsumerCheck& each) { return each.id.str() == clause.id; });
    EXPECT_EQ(count, 1) << clause.id;
  }
}

TEST(Checks, EveryProducerClauseHasACheckOrAReason) {
  Capabilities everything;
  everything.operations = {"append", "truncate", "update"};
  everything.features = {"durable", "reclaim", "preallocation", "chunks", "categories"};
  everything.datatypes = {"boolean"};
  everything.indexes = {"BITMAP"};
  for (const Clause& clause : find_specification("hep001-2026-06-16")->clauses) {
    if (clause.subject != Subject::kProducer) continue;
    const bool checked = std::ranges::any_of(
        writer_checks(), [&](const WriterCheck& each) { return each.id.str() == clause.id; });
    EXPECT_EQ(checked, why_not(clause.id, everything).empty()) << clause.id;
  }
}

TEST(Checks, UnsupportedOperationsDoNotApply) {
  Capabilities can;
  EXPECT_EQ(why_not("append-durable-flush-after-commit", can), "it does not append");
  can.operations = {"append"};
  EXPECT_EQ(why_not("append-durable-flush-after-commit", can), "it declares no durability");
  EXPECT_EQ(why_not("append-commit-last", can), "");
  EXPECT_EQ(why_not("reclaim-by-rewrite", can), "it does not truncate or reclaim");
  EXPECT_EQ(why_not("nrows-is-row-count", can), "");
}

}  // namespace
}  // namespace hepcheck::hep001::suite
