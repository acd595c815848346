#include "validator/formats/hdf5/file_risks.h"

#include <algorithm>
#include <array>
#include <format>
#include <span>
#include <string_view>
#include <vector>

#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

// Bytes that do not belong to the HDF5 data.
struct Surplus {
  std::uint64_t size = 0;
  std::string_view magic{};  // what they look like; empty if that is not known
  bool zeros = true;
  bool before = false;  // before the data, and not after it

  std::string text() const {
    return std::format("{} bytes {} the HDF5 data{}{}", size, before ? "before" : "after",
                       magic.empty() ? "" : ", which begin like ", magic);
  }
};

void trailing_bytes(const Surplus& it, Look& look) {
  if (it.before) return;
  look.looked();
  if (it.size > 0) look.fail(0, it.text(), "a file that ends where its data ends");
}

void user_block(const Surplus& it, Look& look) {
  if (!it.before) return;
  look.looked();
  if (it.size > 0 && !it.zeros) look.fail(0, it.text(), "a file that begins with its data");
}

void open_for_writing(const FileRisks& it, Look& look) {
  look.looked();
  if (it.open_for_writing)
    look.fail(0, "status flags of a file that a program has open for writing", "a closed file");
}

void driver_risk(const FileRisks& it, Look& look) {
  look.looked();
  if (!it.driver.empty())
    look.fail(0, std::format("the driver \"{}\"", it.driver), "one file without a driver");
}

void image_risk(const FileRisks& it, Look& look) {
  look.looked();
  if (it.image_bytes > 0)
    look.fail(0, std::format("an image of the metadata cache of {} bytes", it.image_bytes),
              "no image");
}

constexpr Rule<Surplus> kSurplusRules[] = {
    {"h5-risk-trailing-bytes", trailing_bytes},
    {"h5-risk-user-block", user_block},
};
constexpr Rule<FileRisks> kFileRiskRules[] = {
    {"h5-risk-open-for-writing", open_for_writing},
    {"h5-risk-driver", driver_risk},
    {"h5-risk-cache-image", image_risk},
};

struct Magic {
  std::string_view bytes, name;
};
constexpr std::array kMagics = {
    Magic{"PK\3\4", "a ZIP archive"}, Magic{"%PDF", "a PDF document"},
    Magic{"\177ELF", "a program"},    Magic{"MZ", "a program"},
    Magic{"\x1f\x8b", "gzip data"},   Magic{"#!", "a script"},
    Magic{"MATLAB", "MATLAB"},
};

Surplus surplus_of(std::uint64_t begin, std::uint64_t size, bool before, const Bytes& file) {
  constexpr std::uint64_t kMostRead = std::uint64_t{1} << 20;
  Surplus made{.size = size, .before = before};
  std::vector<std::byte> bytes(std::min(size, kMostRead));
  if (bytes.empty() || !file.read(begin, bytes)) return made;
  const Region region{bytes};
  for (const Magic& each : kMagics)
    if (region.begins(each.bytes)) made.magic = each.name;
  made.zeros = std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{0}; });
  return made;
}

}  // namespace

void file_risk_rules(RuleList& list) { list.structure<kSurplusRules, kFileRiskRules>(); }

void judge_file_risks(const FileRisks& risks, Container& file) {
  const Bytes& bytes = file.file();
  const Place place = file.place("superblock", 0);
  const std::uint64_t after = bytes.size() > risks.end ? bytes.size() - risks.end : 0;
  judge<kSurplusRules>(surplus_of(0, risks.begin, true, bytes), place, file.notes);
  judge<kSurplusRules>(surplus_of(risks.end, after, false, bytes), place, file.notes);
  judge<kFileRiskRules>(risks, place, file.notes);
}

}  // namespace hepcheck::hdf5
