// `hepcheck index build` and `drop` killed after any of their writes (chapter 11): the file then is
// as it was, or has the new state whole, or says that it is damaged. Never does a table look
// conformant whose column lists an index that is not there or not right.
//
// The HDF5 library writes with pwrite and ftruncate. This program has its own of both, which the
// library finds first: they do the same and keep a record, so that the file after each write can be
// put together again.
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <format>
#include <fstream>

#include "conformance/corpus.h"
#include "validator/formats/hep001/index_file.h"

namespace {

using Contents = std::vector<std::byte>;

struct Write {
  std::size_t offset = 0;
  Contents bytes{};
  bool truncation = false;  // the file then ends at `offset`
};

struct Recorder {
  bool on = false;
  std::vector<Write> writes{};
};
Recorder& recorder() {
  static Recorder recorder;
  return recorder;
}

}  // namespace

extern "C" ssize_t pwrite(int file, const void* from, std::size_t size, off_t offset) {
  if (recorder().on) {
    const auto* bytes = static_cast<const std::byte*>(from);
    recorder().writes.push_back({static_cast<std::size_t>(offset), Contents(bytes, bytes + size)});
  }
  return syscall(SYS_pwrite64, file, from, size, offset);
}

extern "C" int ftruncate(int file, off_t length) noexcept {
  if (recorder().on) recorder().writes.push_back({static_cast<std::size_t>(length), {}, true});
  return static_cast<int>(syscall(SYS_ftruncate, file, length));
}

// The names that HDF5 2.2 calls them by.
extern "C" ssize_t pwrite64(int file, const void* from, std::size_t size, off64_t offset) {
  return pwrite(file, from, size, offset);
}

extern "C" int ftruncate64(int file, off64_t length) noexcept { return ftruncate(file, length); }

namespace hepcheck::hep001 {

namespace {

void apply(const Write& write, Contents& file) {
  if (write.truncation) return file.resize(write.offset);
  file.resize(std::max(file.size(), write.offset + write.bytes.size()));
  std::ranges::copy(write.bytes, file.begin() + static_cast<std::ptrdiff_t>(write.offset));
}

// A file of the corpus on disk, for commands to write to.
class Copy {
 public:
  explicit Copy(const std::string& fixture) {
    const auto& all = conformance::corpus();
    const auto found = std::ranges::find(all, fixture, &conformance::Fixture::file);
    if (found == all.end()) throw std::runtime_error("no fixture " + fixture);
    group_ = found->group;
    std::ofstream(path_, std::ios::binary)
        .write(reinterpret_cast<const char*>(found->image.data()),
               static_cast<std::streamsize>(found->image.size()));
  }
  ~Copy() { std::filesystem::remove(path_); }

  IndexPlace place(const std::string& column, IndexKind kind) const {
    return {.file = path_, .group = group_, .column = column, .kind = kind};
  }
  Contents bytes() const {
    std::ifstream in(path_, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
  }

 private:
  std::string path_ = std::format("{}/index-kill-{}.h5", testing::TempDir(), getpid());
  std::string group_{};
};

// What a reader finds in a file.
std::string state_of(const Contents& file) {
  const FileReport report =
      examine_image(file, "killed", std::nullopt, &default_revision("hep001"), {});
  if (report.error || !report.unreadable.empty()) return "refused";
  std::string state;
  for (const SubjectReport& table : report.subjects) {
    if (table.verdict == SubjectVerdict::kUnchecked) return "refused";
    state += table.path + (table.verdict == SubjectVerdict::kPass ? " conformant:" : " broken:");
    for (const ClauseResult& result : table.clauses)
      if (result.verdict == Verdict::kFail && result.severity == Severity::kError)
        state += std::format(" {}", result.clause->id);
    for (const Part& column : table.parts)
      for (const std::string& index : column.labels) state += " " + column.name + " " + index;
  }
  return state;
}

template <class Command>
std::vector<Write> recorded(Command command) {
  recorder() = {.on = true};
  const IndexOutcome outcome = command();
  recorder().on = false;
  EXPECT_TRUE(outcome) << outcome.error().error.text();
  return std::move(recorder().writes);
}

// Runs a command and looks at every state between the file as it was and what became of it.
template <class Command>
void check_each_write(const Copy& copy, Command command) {
  Contents file = copy.bytes();
  const std::vector<Write> writes = recorded(command);
  const std::string before = state_of(file);
  Contents last = file;
  for (const Write& write : writes) apply(write, last);
  ASSERT_EQ(last, copy.bytes()) << "there are writes that are not recorded";
  const std::string after = state_of(last);
  EXPECT_NE(before, after);
  ASSERT_GT(writes.size(), 2u);
  std::size_t number = 0;
  for (const Write& write : writes) {
    apply(write, file);
    const std::string state = state_of(file);
    EXPECT_TRUE(state == before || state == after || state == "refused")
        << "after write " << number << " of " << writes.size() << ": " << state;
    ++number;
  }
}

constexpr const char* kNoIndex = "valid/8.1/column-rank-1--may-grow.h5";
constexpr IndexKind kKinds[] = {IndexKind::kChunkMinmax, IndexKind::kSortedRows, IndexKind::kBitmap,
                                IndexKind::kChunkBloom};

TEST(IndexKill, building_the_first_one) {
  for (const IndexKind kind : kKinds) {
    const Copy copy(kNoIndex);
    check_each_write(
        copy, [&] { return build_index(copy.place("id", kind), default_revision("hep001"), {}); });
  }
}

TEST(IndexKill, building_another_one) {
  for (const IndexKind kind : kKinds) {
    const Copy copy(kNoIndex);
    const IndexKind first =
        kind == IndexKind::kBitmap ? IndexKind::kChunkMinmax : IndexKind::kBitmap;
    ASSERT_TRUE(build_index(copy.place("id", first), default_revision("hep001"), {}));
    check_each_write(
        copy, [&] { return build_index(copy.place("id", kind), default_revision("hep001"), {}); });
  }
}

TEST(IndexKill, dropping) {
  for (const IndexKind kind : kKinds) {
    const Copy copy(kNoIndex);
    ASSERT_TRUE(build_index(copy.place("id", kind), default_revision("hep001"), {}));
    check_each_write(copy, [&] { return drop_index(copy.place("id", kind), {}); });
  }
}

}  // namespace

}  // namespace hepcheck::hep001
