// For tests of the commands of hepcheck that write: the states of a file that crashes could have
// left.
//
//   crash_states LOG BEFORE AFTER NAME INTO [SAMPLE [SEED]]
//
// LOG is what the recorder wrote while the directory BEFORE became AFTER. Every state of the file
// NAME that a crash could have left is written to the directory INTO, equal states once. For each
// state, a line on standard output gives its name there ("-": the file does not exist), the number
// of states that it represents, their kind ("prefix": all operations up to a point; "torn": the
// last write in part; "any": any of the operations not synced; "end": the same after the program
// ended), and how one of them arises. Status 1: the log does not lead from BEFORE to AFTER.
#include <charconv>
#include <filesystem>
#include <format>
#include <map>
#include <print>
#include <span>
#include <string_view>
#include <utility>

#include "conformance/suite/hep001/recording.h"

namespace {

using namespace hepcheck::hep001::suite;

using hepcheck::trace::State;

std::string_view kind_of(const State& state) {
  return state.kind == State::Kind::kTorn     ? "torn"
         : state.kind == State::Kind::kPrefix ? "prefix"
         : state.finished                     ? "end"
                                              : "any";
}

std::uint64_t number(std::span<char*> words, std::size_t i, std::uint64_t otherwise) {
  if (i >= words.size()) return otherwise;
  const std::string_view word = words[i];
  std::from_chars(word.data(), word.data() + word.size(), otherwise);
  return otherwise;
}

struct Seen {
  std::string file;  // in the directory of states
  std::uint64_t states = 0;
  std::string how;
};

}  // namespace

int main(int argc, char** argv) {
  const std::span words(argv, static_cast<std::size_t>(argc));
  if (words.size() < 6) return 2;
  const auto recording = read_recording(words[1]);
  if (!recording) {
    std::println(stderr, "{}", recording.error().text());
    return 1;
  }
  const Folder before = read_folder(words[2]), after = read_folder(words[3]);
  if (recording->unseen || !same_contents(recording->replay(before), after)) {
    std::println(stderr, "not all that was done to the files is in the log");
    return 1;
  }
  const CrashOptions options{.states = {.torn = true,
                                        .any = true,
                                        .seed = number(words, 7, 1),
                                        .sample = number(words, 6, 24)},
                             .by_sync = true};
  std::map<std::pair<std::string_view, Image>, Seen> seen;
  std::map<Image, std::string> files;
  for (const State& state : crash_states(*recording, options)) {
    const Folder folder = folder_of(state, *recording, before);
    const Image* image = folder.find(words[4]);
    Seen& one = seen[{kind_of(state), image ? *image : Image()}];
    if (one.states++ > 0) continue;
    one.how = state.how();
    one.file = "-";
    if (!image) continue;
    const auto [file, fresh] = files.try_emplace(*image, std::format("{}.h5", files.size()));
    one.file = file->second;
    if (fresh) write_image(std::filesystem::path(words[5]) / one.file, *image);
  }
  for (const auto& [what, one] : seen)
    std::println("{}\t{}\t{}\t{}", one.file, one.states, what.first, one.how);
  return 0;
}
