// Runs a fuzz target without libFuzzer: every given file, every file below a given directory, then
// `--runs N` mutated copies of them, the same ones each time.
//
// usage: replay TARGET [--runs N] PATH...
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <print>
#include <random>
#include <vector>

#include "fuzz/targets/target.h"

namespace {

namespace fs = std::filesystem;
using hepcheck::fuzz::ReplayedTarget;
using Bytes = std::vector<std::uint8_t>;

std::mt19937_64& random_engine() {
  static std::mt19937_64 engine(20261121);
  return engine;
}
std::size_t below(std::size_t n) { return random_engine()() % n; }

std::vector<fs::path> files_of(const fs::path& path) {
  std::vector<fs::path> files;
  if (fs::is_directory(path)) {
    for (const auto& entry : fs::recursive_directory_iterator(path))
      if (entry.is_regular_file()) files.push_back(entry.path());
    std::ranges::sort(files);
  } else {
    files.push_back(path);
  }
  return files;
}

Bytes contents(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    std::println(stderr, "{}: cannot be read", path.string());
    std::exit(2);
  }
  return {std::istreambuf_iterator<char>(in), {}};
}

// A copy in memory of exactly this size, so a sanitizer detects every access beyond its end.
void run(const ReplayedTarget& target, const Bytes& bytes) {
  const Bytes exact(bytes);
  target.run(exact.data(), exact.size());
}

std::map<std::string_view, ReplayedTarget>& targets() {
  static std::map<std::string_view, ReplayedTarget> made;
  return made;
}

int usage() {
  std::println(stderr, "usage: replay TARGET [--runs N] PATH...\n\ntargets:");
  for (const auto& [name, target] : targets()) std::println(stderr, "  {}", name);
  return 2;
}

}  // namespace

hepcheck::fuzz::ReplayedTarget& hepcheck::fuzz::replayed_target(std::string_view name) {
  return targets()[name];
}

// Replaces libFuzzer's mutator: a few bytes changed, inserted, removed or repeated.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size,
                                        std::size_t max_size) {
  Bytes bytes(data, data + size);
  for (std::size_t n = 1 + below(4); n > 0; --n) {
    const std::size_t at = below(bytes.size() + 1);
    const auto place = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    switch (below(4)) {
      case 0:
        if (at < bytes.size()) *place = static_cast<std::uint8_t>(below(256));
        break;
      case 1: bytes.insert(place, static_cast<std::uint8_t>(below(256))); break;
      case 2:
        if (at < bytes.size()) bytes.erase(place);
        break;
      case 3:
        if (at < bytes.size()) *place ^= static_cast<std::uint8_t>(1u << below(8));
        break;
    }
  }
  bytes.resize(std::min(bytes.size(), max_size));
  std::ranges::copy(bytes, data);
  return bytes.size();
}

int main(int argc, char** argv) {
  const auto found = targets().find(argc > 1 ? argv[1] : "");
  if (found == targets().end()) return usage();
  const ReplayedTarget& target = found->second;
  std::size_t runs = 0;
  std::vector<fs::path> files;
  for (int i = 2; i < argc; ++i) {
    if (std::strcmp(argv[i], "--runs") == 0 && i + 1 < argc) {
      runs = std::stoul(argv[++i]);
    } else {
      std::ranges::move(files_of(argv[i]), std::back_inserter(files));
    }
  }
  if (files.empty()) return usage();
  std::vector<Bytes> inputs;
  for (const fs::path& file : files) {
    // Printed first: after a crash the last line names the input.
    std::println(stderr, "{}", file.string());
    inputs.push_back(contents(file));
    run(target, inputs.back());
  }
  for (std::size_t i = 0; i < runs; ++i) {
    Bytes bytes = inputs[below(inputs.size())];
    const std::size_t size = bytes.size();
    bytes.resize(size + 64);
    const auto seed = static_cast<unsigned>(below(1u << 31));
    bytes.resize(target.mutate ? target.mutate(bytes.data(), size, bytes.size(), seed)
                               : LLVMFuzzerMutate(bytes.data(), size, bytes.size()));
    run(target, bytes);
  }
  std::println("{} inputs and {} mutated copies: no failures", inputs.size(), runs);
  return 0;
}
