#include "validator/formats/hdf5/space_info.h"

#include <algorithm>
#include <format>
#include <set>

#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

struct SpaceMessage {
  const SpaceInfo& info;
  std::uint64_t size, end;  // of the message; of the file
  unsigned length_size;
};

void space_version(const SpaceMessage& it, Look& look) {
  look.looked();
  if (it.info.version > 1)
    look.fail(0, std::format("version {}", it.info.version), "version 0 or 1");
}

void space_fits(const SpaceMessage& it, Look& look) {
  look.looked();
  if (!it.info.whole)
    look.fail(0,
              std::format("version {}, strategy {}, persist {} in {} bytes", it.info.version,
                          it.info.strategy, it.info.persist, it.size),
              "a message that holds its fields");
}

void strategy(const SpaceMessage& it, Look& look) {
  look.looked();
  const unsigned least = it.info.version == 0 ? 1 : 0;
  if (it.info.strategy < least || it.info.strategy > least + 3)
    look.fail(1, std::format("strategy {}", it.info.strategy),
              std::format("{} to {}", least, least + 3));
}

void persist(const SpaceMessage& it, Look& look) {
  if (it.info.version == 0) return;
  look.looked();
  if (it.info.persist > 1) look.fail(2, std::format("persist {}", it.info.persist), "0 or 1");
}

void persist_strategy(const SpaceMessage& it, Look& look) {
  if (it.info.version == 0 || it.info.strategy > 3) return;
  look.looked();
  if (!it.info.strategy_fits())
    look.fail(1, std::format("a manager of free space with strategy {}", it.info.strategy),
              "managers only with strategy 0 or 1");
}

void page_size(const SpaceMessage& it, Look& look) {
  if (it.info.version == 0) return;
  look.looked();
  if (!it.info.page_size_sound())
    look.fail(3 + it.length_size, std::format("pages of {} bytes", it.info.page_size),
              "512 bytes to 1 GiB");
}

void managers(const SpaceMessage& it, Look& look) {
  if (it.info.managers.empty()) return;
  look.looked();
  std::set<std::uint64_t> seen;
  for (const std::uint64_t address : it.info.managers)
    if (address != kUndefined && !seen.insert(address).second)
      return look.fail(0, std::format("two managers at address {}", address),
                       "a manager for each kind");
}

void end_of_allocation(const SpaceMessage& it, Look& look) {
  if (it.info.version == 0) return;
  look.looked();
  const std::uint64_t at = 5 + 2 * it.length_size, stated = it.info.end_of_allocation;
  if (stated == kUndefined) {
    if (it.info.persist == 1)
      look.fail(at, "an undefined end of allocation in a file that keeps its free space",
                "an address");
  } else if (stated > it.end) {
    look.fail(at, std::format("end of allocation {}", stated),
              std::format("{} at most, the end of the file", it.end));
  }
}

constexpr Rule<SpaceMessage> kSpaceInfoFormRules[] = {
    {"h5-fsinfo-version", space_version},
    {"h5-fsinfo-fits", space_fits},
};
constexpr Rule<SpaceMessage> kSpaceInfoRules[] = {
    {"h5-fsinfo-strategy", strategy},
    {"h5-fsinfo-persist", persist},
    {"h5-fsinfo-persist-strategy", persist_strategy},
    {"h5-fsinfo-page-size", page_size},
    {"h5-fsinfo-managers", managers},
    {"h5-fsinfo-end-of-allocation", end_of_allocation},
};

SpaceInfo parse_space_info(const Region& message, const Container& file) {
  constexpr unsigned kKinds = 6, kSmallAndLarge = 12;
  Cursor read(message);
  SpaceInfo made{.version = read.u8("version"), .strategy = read.u8("strategy")};
  unsigned addresses = 0;
  std::uint64_t lists = 2 + std::uint64_t{file.length_size};
  if (made.version == 0) {
    made.threshold = read.number(file.length_size, "threshold");
    if (made.strategy == 1) addresses = kKinds;
  } else {
    made.persist = read.u8("persist");
    made.threshold = read.number(file.length_size, "threshold");
    made.page_size = read.number(file.length_size, "page size");
    read.take(2, "page end threshold");
    lists = read.at();
    made.end_of_allocation = read.number_or_undefined(file.offset_size, "end of allocation");
    if (made.persist != 0) addresses = kSmallAndLarge;
  }
  for (unsigned i = 0; i < addresses; ++i)
    made.managers.push_back(read.address(file.offset_size, "manager"));
  made.whole = read.good();
  made.lists = message.part(lists, read.at() - lists);
  made.encoded = read.at();
  return made;
}

// --- Pages --------------------------------------------------------------------------------------

struct Pages {
  std::uint64_t size, end;
  std::uint64_t blocks = 0, astray = 0;  // blocks of metadata, and those in more than one page
  std::string first{};
  std::uint64_t first_at = 0;

  bool ends_at_border() const { return end % size == 0; }
};

void paged_end(const Pages& it, Look& look) {
  look.looked();
  if (!it.ends_at_border())
    look.fail(0, std::format("the file ends at {}", it.end),
              std::format("a multiple of {}, the size of its pages", it.size));
}

void paged_block(const Pages& it, Look& look) {
  look.looked(it.blocks);
  if (it.astray > 0)
    look.fail(
        0,
        std::format("{} of {} blocks of metadata, the first one {} at {}", it.astray, it.blocks,
                    it.first, it.first_at),
        std::format("small blocks in one page of {} bytes, large ones at its beginning", it.size));
}

constexpr Rule kPagedEnd("h5-paged-end", paged_end);
constexpr Rule kPagedBlock("h5-paged-block", paged_block);

}  // namespace

void space_info_rules(RuleList& list) {
  list.structure<kSpaceInfoFormRules, kSpaceInfoRules, kPagedEnd, kPagedBlock>();
}

std::optional<SpaceInfo> read_space_info(const Region& message, Container& file) {
  SpaceInfo made = parse_space_info(message, file);
  const SpaceMessage judged{made, message.size(), file.end, file.length_size};
  if (!judge<kSpaceInfoFormRules>(judged, message.place, file.notes)) return std::nullopt;
  // Managers that share an address are none.
  judge_each<kSpaceInfoRules>(judged, message.place, file.notes);
  constexpr ClauseId kManagers = "h5-fsinfo-managers";
  if (file.notes.errors()[kManagers.place()]) made.managers.clear();
  return made;
}

bool judge_pages(const SpaceInfo& info, std::uint64_t end, const CacheImage* image,
                 Container& file) {
  if (!info.paged()) return true;
  // The image of the metadata cache is written after the last page, when the file is closed.
  if (image && sum(image->address, image->block.region().size()) == end) end = image->address;
  Pages pages{.size = info.page_size, .end = end};
  const Place place = file.place("superblock", 0);
  if (!file.open_for_writing) {
    judge<kPagedEnd>(pages, place, file.notes);
    // Then the size of the pages may be wrong, and with it all of their borders.
    if (!pages.ends_at_border()) return false;
  }
  for (const Extent& block : file.extents.sorted()) {
    if (file.extents.is_raw(block)) continue;
    ++pages.blocks;
    const bool one_page = block.address / pages.size == (block.end() - 1) / pages.size;
    if (block.size < pages.size ? one_page : block.address % pages.size == 0) continue;
    if (pages.astray++ > 0) continue;
    pages.first = file.extents.kind(block);
    pages.first_at = file.base + block.address;
  }
  judge<kPagedBlock>(pages, place, file.notes);
  return true;
}

}  // namespace hepcheck::hdf5
