// II.A, II.C and IV.A.2.u: risks of the file as a whole.
#include "validator/formats/hdf5/file_risks.h"

#include <algorithm>
#include <array>
#include <format>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

// Bytes of the file that are no HDF5.
struct OtherBytes {
  std::uint64_t size = 0;
  std::string kind{};  // by the first known mark in them; empty if there is none
  bool zeros = true;
};

void tell_other_bytes(const OtherBytes& it, Look& look, std::string_view where) {
  look.fail(0,
            std::format("{} bytes {}{}{}", it.size, where, it.kind.empty() ? "" : ", which begin as ",
                        it.kind),
            "nothing but HDF5");
}

constexpr Rule kTrailingRule("h5-risk-trailing-bytes", [](const OtherBytes& it, Look& look) {
  look.looked();
  if (it.size > 0) tell_other_bytes(it, look, "after the end of the file");
});

constexpr Rule kUserBlockRule("h5-risk-user-block", [](const OtherBytes& it, Look& look) {
  look.looked();
  if (it.size > 0 && !it.zeros) tell_other_bytes(it, look, "before the HDF5 data");
});

constexpr Rule kOpenRule("h5-risk-open-for-writing", [](const FileRisks& it, Look& look) {
  look.looked();
  if (it.open_for_writing) look.fail(0, "a file that a program has open for writing", "a closed file");
});

constexpr Rule kImageRule("h5-risk-cache-image", [](const FileRisks& it, Look& look) {
  look.looked();
  if (it.cache_image)
    look.fail(0, "a metadata cache image, which replaces blocks of the file", "the blocks themselves");
});

constexpr Rule kDriverRule("h5-risk-driver", [](const FileRisks& it, Look& look) {
  look.looked();
  if (it.several_files) look.fail(0, "a driver that searches for other files by name", "one file");
});

std::string kind_of_bytes(std::string_view text) {
  using namespace std::string_view_literals;
  constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kMarks = {{
      {"PK\x03\x04"sv, "a ZIP archive"},
      {"%PDF"sv, "a PDF document"},
      {"\x7f"
       "ELF"sv,
       "a program (ELF)"},
      {"MZ"sv, "a program (PE)"},
      {"\x1f\x8b"sv, "gzip"},
      {"#!"sv, "a script"},
      {"MATLAB"sv, "a MATLAB file"},
      {"<?"sv, "XML or a script"},
  }};
  for (const auto& [mark, kind] : kMarks)
    if (text.starts_with(mark)) return std::string(kind);
  return {};
}

OtherBytes other_bytes(std::uint64_t begin, std::uint64_t size, const Container& file) {
  constexpr std::uint64_t kMost = 4'096;  // that are looked at
  OtherBytes made{.size = size};
  std::vector<std::byte> bytes(std::min(size, kMost));
  if (bytes.empty() || !file.file().read(begin, bytes)) return made;
  made.zeros = std::ranges::all_of(bytes, [](std::byte each) { return each == std::byte{0}; });
  made.kind = kind_of_bytes({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  return made;
}

}  // namespace

void file_risk_rules(RuleList& list) {
  list.structure<kTrailingRule, kUserBlockRule, kOpenRule, kImageRule, kDriverRule>();
}

void judge_file_risks(const FileRisks& risks, Container& file) {
  const Place at = file.place("superblock", 0);
  const std::uint64_t size = file.file().size();
  const std::uint64_t behind = size > risks.end ? size - risks.end : 0;
  // One of several files may be longer or shorter than the end of all of them.
  if (!risks.several_files)
    judge<kTrailingRule>(other_bytes(risks.end, behind, file), at, file.notes);
  judge<kUserBlockRule>(other_bytes(0, risks.position, file), at, file.notes);
  judge<kOpenRule>(risks, at, file.notes);
  judge<kImageRule>(risks, at, file.notes);
  judge<kDriverRule>(risks, at, file.notes);
}

}  // namespace hepcheck::hdf5
