// hepcheck suite with a program that replies anything. The first byte selects: `h` the rest is a
// program's hello and all its other replies, one per line; `r` replies to the reader suite, `w` to
// the writer suite, after a valid hello; `c` a report for suite compare. `"id":0` becomes the id of
// the request. A line `!crash`, `!late`, `!much` or `!babble` is such an ending instead of a reply.
// Oracle: the run ends with a report that every format can represent, without control characters.
#include <unistd.h>

#include <filesystem>
#include <sstream>

#include "conformance/suite/hep001/reader.h"
#include "conformance/suite/hep001/writer.h"
#include "fuzz/targets/target.h"
#include "reports/suite_matrix.h"

using namespace hepcheck;
using namespace hepcheck::fuzz;
using namespace hepcheck::hep001::suite;

namespace {

constexpr char kHello[] =
    R"({"id":0,"ok":{"protocol":1,"name":"any","capabilities":{"operations":["describe","read",)"
    R"("query","write","append","truncate","update","add-index","drop-index"],"datatypes":["integer",)"
    R"("float","string","enum"],"indexes":["CHUNK_MINMAX","BITMAP"],"modes":["strict","none","use",)"
    R"("verify"],"features":["categories","units","descriptions","row-labels"]}}})";

// Replies as the input states.
class Scripted : public Partner {
 public:
  Scripted(std::string_view input, bool greeted) : input_(std::string(input)), greeted_(greeted) {}

  Exchange exchange(const std::string& line, std::chrono::milliseconds) override {
    running_ = true;
    const Json request = Json::parse(line);
    require(request.is_object() && request.contains("op"), "no request");
    std::string reply;
    if (greeted_ && request.at("op") == "hello")
      reply = kHello;
    else if (!std::getline(input_, reply))
      return ended(Ending::kCrashed);
    if (reply == "!crash") return ended(Ending::kCrashed);
    if (reply == "!late") return ended(Ending::kTimedOut);
    if (reply == "!much") return ended(Ending::kTooMuch);
    if (reply == "!babble") return ended(Ending::kBabbled);
    constexpr std::string_view kPlace = "\"id\":0";
    if (const std::size_t at = reply.find(kPlace); at != std::string::npos)
      reply.replace(at, kPlace.size(), "\"id\":" + request.at("id").dump());
    return {.line = std::move(reply)};
  }
  bool running() const override { return running_; }
  void stop(std::chrono::milliseconds) override { running_ = false; }

 private:
  Exchange ended(Ending ending) {
    running_ = false;
    return {.ending = ending, .why = "as the input says"};
  }

  std::istringstream input_;
  bool greeted_, running_ = false;
};

class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "replies-XXXXXX").string();
    require(::mkdtemp(pattern.data()) != nullptr, "no temporary directory");
    path_ = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_{};
};

void harmless(const std::string& text) {
  for (const char c : text)
    require(c == '\n' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f),
            "a control character on a terminal");
}

template <class Judged>
void show(const Judged& judged) {
  for (const char* form : {"text", "markdown", "json", "junit"}) {
    std::ostringstream out;
    write(out, judged, {.form = form, .verbose = true});
    harmless(out.str());
    if (form == std::string_view("json")) require(Json::accept(out.str()), "no JSON");
  }
  require(!as_report(judged).files.empty(), "no report");
}

void judge(char mode, std::string_view replies) {
  static const Folder folder;
  const Specification& spec = default_revision("hep001");
  Session session(std::make_unique<Scripted>(replies, mode != 'h'), {.words = kWords});
  if (!session.hello().ok()) return;
  const SuiteReport report =
      mode == 'w' ? judge_writer(session, spec,
                                 {.folder = folder.path(), .tables = {"one-row"}, .random = 0})
                  : judge_reader(session, spec,
                                 {.folder = folder.path(),
                                  .files = {"valid/14.1/*", "invalid/7.2/*major-2.h5"}});
  show(report);
  require(exit_status(report) == 0 || exit_status(report) == 1, "another status");
}

}  // namespace

FUZZ_TARGET(replies) {
  if (size == 0) return 0;
  const std::string_view rest = text(data, size).substr(1);
  const char mode = static_cast<char>(data[0]);
  if (mode == 'h' || mode == 'r' || mode == 'w') judge(mode, rest);
  if (mode == 'c')
    if (const auto matrix =
            make_matrix({{"report", std::string(rest)}}, default_revision("hep001")))
      show(*matrix);
  return 0;
}
