// Build step: packs the corpus into one blob and writes the table of its files.
//
//   pack_corpus FIXTURES_DIR BLOB SOURCE
#include <algorithm>
#include <filesystem>
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

  std::ofstream blob(argv[2], std::ios::binary), source(argv[3]);
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
            "std::span<const PackedFile> packed_files() {\n"
            "  static const PackedFile kFiles[] = {\n";
  std::size_t offset = 0;
  for (const fs::path& file : files) {
    std::ifstream in(file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    blob << bytes;
    source << "      {\"" << fs::relative(file, root).generic_string() << "\", {hepcheck_corpus + "
           << offset << ", " << bytes.size() << "}},\n";
    offset += bytes.size();
  }
  source << "  };\n  return kFiles;\n}\n\n}  // namespace hepcheck::conformance\n";
  return blob.flush() && source.flush() ? 0 : 1;
}
