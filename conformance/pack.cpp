// Build step: packs the corpus into one blob, and writes a source that includes it. The blob begins
// with a line for each file, its size and its name, and an empty line; then the files follow one
// another.
//
//   pack_corpus FIXTURES_DIR BLOB SOURCE
#include <algorithm>
#include <filesystem>
#include <format>
#include <fstream>
#include <iterator>
#include <print>
#include <string>
#include <vector>

namespace fs = std::filesystem;

int main(int argc, char** argv) {
  if (argc != 4) {
    std::println(stderr, "usage: pack_corpus FIXTURES_DIR BLOB SOURCE");
    return 2;
  }
  const fs::path root = argv[1];
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(root))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::ranges::sort(files);

  std::string lines, bytes;
  for (const fs::path& file : files) {
    std::ifstream in(file, std::ios::binary);
    const std::size_t before = bytes.size();
    bytes.append(std::istreambuf_iterator<char>(in), {});
    lines +=
        std::format("{} {}\n", bytes.size() - before, fs::relative(file, root).generic_string());
  }
  std::ofstream blob(argv[2], std::ios::binary), source(argv[3]);
  blob << lines << '\n' << bytes;
  source << "// Made by conformance/pack.cpp; do not edit.\n"
            "#include \"conformance/corpus_pack.h\"\n\n"
            "__asm__(\".section .rodata\\n\"\n"
            "        \".balign 16\\n\"\n"
            "        \"hepcheck_corpus:\\n\"\n"
            "        \".incbin \\\""
         << fs::absolute(argv[2]).string()
         << "\\\"\\n\"\n"
            "        \".text\\n\");\n"
            "extern \"C\" const std::byte hepcheck_corpus[];\n\n"
            "namespace hepcheck::conformance {\n\n"
            "std::span<const std::byte> packed_corpus() { return {hepcheck_corpus, "
         << lines.size() + 1 + bytes.size() << "}; }\n\n}  // namespace hepcheck::conformance\n";
  return blob.flush() && source.flush() ? 0 : 1;
}
