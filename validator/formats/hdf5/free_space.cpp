#include "validator/formats/hdf5/free_space.h"

#include <algorithm>
#include <format>
#include <set>
#include <utility>
#include <vector>

#include "validator/formats/hdf5/pages.h"
#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

constexpr std::uint8_t kHeapClient = 0, kFileClient = 1;

// --- The header ---------------------------------------------------------------------------------

struct ManagerHeader {
  Region region;
  Summed sum;
  const FreeSpaceOwner& owner;
  std::uint8_t version = 0, client = 0;
  std::uint64_t total = 0, sections = 0, stored = 0, unstored = 0;
  std::uint16_t classes = 0, shrink = 0, expand = 0, bits = 0;
  std::uint64_t most = 0;  // bytes of a section
  std::uint64_t list = kUndefined, used = 0, allocated = 0;
  unsigned offset_size = 8;
};

void manager_signature(const ManagerHeader& it, Look& look) {
  look.looked();
  if (!it.region.begins("FSHD")) look.fail(0, "other bytes", "FSHD");
}

void manager_checksum(const ManagerHeader& it, Look& look) {
  look.looked();
  if (!it.sum.good())
    look.fail(it.sum.at, std::format("checksum {:08x}", it.sum.stored),
              std::format("{:08x}, that of the bytes before it", it.sum.computed));
}

void manager_version(const ManagerHeader& it, Look& look) {
  look.looked();
  if (it.version != 0) look.fail(4, std::format("version {}", it.version), "version 0");
}

void client(const ManagerHeader& it, Look& look) {
  look.looked();
  const bool right = it.owner.heap ? it.client <= kFileClient : it.client == kFileClient;
  if (!right)
    look.fail(5, std::format("client {}", it.client),
              it.owner.heap ? "0, a fractal heap" : "1, the file");
}

// The clause belongs to the heap that names the manager.
void heap_manager(const ManagerHeader& it, Look& look) {
  if (!it.owner.heap) return;
  look.looked();
  if (it.client != kHeapClient)
    look.fail(5, "the manager of a file", "a manager of fractal heaps");
  else if (it.bits != it.owner.bits || it.most != it.owner.most_direct)
    look.fail(
        0,
        std::format("an address space of {} bits and sections of up to {} bytes", it.bits, it.most),
        std::format("{} bits and {} bytes, as in the heap", it.owner.bits, it.owner.most_direct));
}

void counts(const ManagerHeader& it, Look& look) {
  look.looked();
  const std::uint64_t both = sum(it.stored, it.unstored);
  if (it.sections != both || both == kUndefined || (!it.owner.heap && it.unstored != 0))
    look.fail(0,
              std::format("{} sections, {} of them stored and {} not", it.sections, it.stored,
                          it.unstored),
              it.owner.heap ? "numbers that add up"
                            : "numbers that add up, and no section that is not stored");
}

void classes(const ManagerHeader& it, Look& look) {
  const unsigned most = it.owner.heap ? 4 : 3;
  look.looked();
  if (it.classes > most)
    look.fail(0, std::format("{} section classes", it.classes), std::format("{} at most", most));
}

void percentages(const ManagerHeader& it, Look& look) {
  look.looked();
  if (it.shrink > 100 || it.expand < 100)
    look.fail(0, std::format("shrink {}, expand {}", it.shrink, it.expand),
              "100 at most, and 100 at least");
}

void address_bits(const ManagerHeader& it, Look& look) {
  look.looked();
  if (it.bits == 0 || it.bits > 64)
    look.fail(0, std::format("an address space of {} bits", it.bits), "1 to 64");
  else if (it.most == 0)
    look.fail(0, "sections of up to 0 bytes", "a number above 0");
}

void list_defined(const ManagerHeader& it, Look& look) {
  if (it.stored == 0) return;
  look.looked();
  if (it.list == kUndefined || it.used == 0)
    look.fail(0, std::format("{} stored sections without a list", it.stored),
              "the address of a list");
}

void list_size(const ManagerHeader& it, Look& look) {
  if (it.stored == 0) return;
  look.looked();
  if (it.used > it.allocated || it.used < 9 + std::uint64_t{it.offset_size})
    look.fail(
        0, std::format("a list that uses {} of {} bytes", it.used, it.allocated),
        std::format("{} bytes at least, and not more than are allocated", 9 + it.offset_size));
}

constexpr Rule kManagerSignature("h5-free-space-header-signature", manager_signature);
constexpr Rule<ManagerHeader> kManagerRules[] = {
    {"h5-free-space-header-checksum", manager_checksum},
    {"h5-free-space-header-version", manager_version},
    {"h5-free-space-client", client},
    {"h5-fractal-heap-manager", heap_manager},
    {"h5-free-space-counts", counts},
    {"h5-free-space-classes", classes},
    {"h5-free-space-percentages", percentages},
    {"h5-free-space-address-bits", address_bits},
    {"h5-free-space-list-defined", list_defined},
    {"h5-free-space-list-size", list_size},
};

// --- The list -----------------------------------------------------------------------------------

struct SectionList {
  Region region;
  Summed sum;
  std::uint8_t version = 0;
  std::uint64_t owner = 0, owner_wanted = 0;
};

void list_signature(const SectionList& it, Look& look) {
  look.looked();
  if (!it.region.begins("FSSE")) look.fail(0, "other bytes", "FSSE");
}

void list_checksum(const SectionList& it, Look& look) {
  look.looked();
  if (!it.sum.good())
    look.fail(it.sum.at, std::format("checksum {:08x}", it.sum.stored),
              std::format("{:08x}, that of the bytes before it", it.sum.computed));
}

void list_version(const SectionList& it, Look& look) {
  look.looked();
  if (it.version != 0) look.fail(4, std::format("version {}", it.version), "version 0");
}

void list_owner(const SectionList& it, Look& look) {
  look.looked();
  if (it.owner != it.owner_wanted)
    look.fail(5, std::format("header address {}", it.owner),
              std::format("{}, the header that leads here", it.owner_wanted));
}

constexpr Rule<SectionList> kSectionListRules[] = {
    {"h5-free-space-list-signature", list_signature},
    {"h5-free-space-list-checksum", list_checksum},
    {"h5-free-space-list-version", list_version},
    {"h5-free-space-list-owner", list_owner},
};

// Some sections of one size.
struct SectionSet {
  std::uint64_t count = 0, left = 0;  // `left`: sections that were not read yet
  std::uint64_t size = 0, most = 0;
  bool whole = true;

  bool sized() const { return size > 0 && size <= most; }
};

void section_fits(const SectionSet& it, Look& look) {
  look.looked();
  if (!it.whole)
    look.fail(0, std::format("{} sections are left, and the list ends", it.left),
              "sets that end before the checksum");
  else if (it.count > it.left)
    look.fail(0, std::format("a set of {} sections, of which {} are left", it.count, it.left),
              "as many sections as the header states");
}

void set_not_empty(const SectionSet& it, Look& look) {
  look.looked();
  if (it.count == 0) look.fail(0, "a set of 0 sections", "one section at least");
}

void section_size(const SectionSet& it, Look& look) {
  look.looked();
  if (!it.sized())
    look.fail(0, std::format("sections of {} bytes", it.size),
              std::format("1 to {} bytes", it.most));
}

constexpr Rule kSetFits("h5-free-space-section-fits", section_fits);
constexpr Rule kSetNotEmpty("h5-free-space-set-not-empty", set_not_empty);
constexpr Rule kSetSize("h5-free-space-section-size", section_size);

struct SectionType {
  std::uint8_t type;
  bool heap;
};

constexpr Rule kSectionTypeRule("h5-free-space-section-type", [](const SectionType& it,
                                                                 Look& look) {
  look.looked();
  if (it.type > (it.heap ? 3 : 2))
    look.fail(0, std::format("a section of type {}", it.type), it.heap ? "0 to 3" : "0, 1 or 2");
});

constexpr Rule kSetOrderRule("h5-free-space-set-order", [](const SetOrder& it, Look& look) {
  look.looked();
  if (it.before)
    look.fail(0, std::format("{} before {}", *it.before, it.after),
              "sets by size, and the sections of a set by offset");
});

// --- Sums ---------------------------------------------------------------------------------------

struct SpaceTotal {
  std::uint64_t stated, found;
};

constexpr Rule kTotalRule("h5-free-space-total", [](const SpaceTotal& it, Look& look) {
  look.looked();
  if (it.stated != it.found)
    look.fail(6, std::format("{} bytes in total", it.stated),
              std::format("{}, the sum over its sections", it.found));
});

constexpr Rule kUnstoredRule("h5-free-space-unstored", [](const SpaceTotal& it, Look& look) {
  look.looked();
  if (it.stated != it.found)
    look.fail(0, std::format("{} sections that are not stored", it.stated),
              std::format("{}, the further rows of its row sections", it.found));
});

// --- The sections of a file ---------------------------------------------------------------------

struct FileSection {
  const FreeSection& section;
  const Container& file;
  std::uint64_t superblock = 0;         // bytes of it
  const FreeSection* before = nullptr;  // one that ends after its beginning
  const Extent* used = nullptr;         // a block that shares bytes with it
  std::size_t manager = 0;
  std::uint64_t page_size = 0;
};

std::string words(const FreeSection& section) {
  return std::format("a free section of {} bytes at {}", section.size, section.offset);
}

void file_inside(const FileSection& it, Look& look) {
  look.looked();
  if (!it.file.inside(it.section.offset, it.section.size) || it.section.offset < it.superblock)
    look.fail(
        0, words(it.section),
        std::format("sections between the superblock and {}, the end of the file", it.file.end));
}

void file_apart(const FileSection& it, Look& look) {
  look.looked();
  if (it.before)
    look.fail(0,
              std::format("{}, and another of {} bytes at {}", words(it.section), it.before->size,
                          it.before->offset),
              "sections that share no byte");
}

void file_unused(const FileSection& it, Look& look) {
  if (it.file.open_for_writing) return;
  look.looked();
  if (it.used)
    look.fail(
        0,
        std::format("{}, over {} @ {} of {} bytes", words(it.section),
                    it.file.extents.kind(*it.used), it.file.base + it.used->address, it.used->size),
        "space that nothing uses", "The next writer would write over it.");
}

constexpr Rule kFileInside("h5-free-space-file-inside", file_inside);
constexpr Rule<FileSection> kFileSectionRules[] = {
    {"h5-free-space-file-apart", file_apart},
    {"h5-free-space-file-unused", file_unused},
};

constexpr Rule kPagedRule("h5-paged-section", [](const FileSection& it, Look& look) {
  constexpr std::uint8_t kSimple = 0, kSmall = 1, kLarge = 2;
  constexpr std::size_t kSmallManagers = 6;
  look.looked();
  const FreeSection& s = it.section;
  const std::uint64_t page = it.page_size;
  const std::string found =
      std::format("{}, of type {} in manager {}", words(s), s.type, it.manager);
  if (page == 0) {
    if (s.type != kSimple) look.fail(0, found, "sections of type 0 in a file without pages");
  } else if (it.manager < kSmallManagers) {
    const bool good = s.type == kSmall && s.size < page && s.offset / page == (s.end() - 1) / page;
    if (!good) look.fail(0, found, std::format("type 1, inside one page of {} bytes", page));
  } else if (s.type != kLarge || s.end() % page != 0) {
    look.fail(0, found, std::format("type 2, to the border of a page of {} bytes", page));
  }
});

// Reads the sets of a list, as far as they are sound.
class ListReader {
 public:
  ListReader(const ManagerHeader& header, Container& file, FreeSpace& into)
      : header_(header), file_(file), into_(into) {}

  bool read(const Region& sets) {
    const unsigned count_width = bytes_for(header_.stored), size_width = bytes_for(header_.most);
    Cursor read(sets);
    SetOrder order;
    std::uint64_t left = header_.stored, size_before = 0;
    bool any = false, all = true;
    std::vector<std::pair<SectionSet, Place>> read_sets;
    while (left > 0) {
      const Region here = sets.part(read.at());
      SectionSet set{.left = left, .most = header_.most};
      set.count = read.number(count_width, "count");
      set.size = read.number(size_width, "size");
      set.whole = read.good();
      if (!judge<kSetFits>(set, here.place, file_.notes)) return misread();
      read_sets.emplace_back(set, here.place);
      if (any && set.size <= size_before && !order.before) order = {size_before, set.size};
      size_before = set.size;
      any = true;
      for (std::uint64_t i = 0; i < set.count; ++i)
        if (!section(read, sets, set, i > 0, order)) return false;
      all &= set.sized();
      left -= set.count;
    }
    // After a wrong number, the sets were taken apart at the wrong bytes.
    for (const auto& [set, place] : read_sets) {
      judge<kSetNotEmpty>(set, place, file_.notes);
      judge<kSetSize>(set, place, file_.notes);
    }
    if (!all) return misread();
    into_.order = order;
    into_.sets_at = sets.place;
    return true;
  }

 private:
  // The sets may have been taken apart at the wrong bytes from the first one on.
  bool misread() {
    into_.sections.clear();
    return false;
  }

  bool section(Cursor& read, const Region& sets, SectionSet& set, bool later, SetOrder& order) {
    const Region here = sets.part(read.at());
    FreeSection made{.size = set.size, .at = here.place};
    made.offset = read.number((header_.bits + 7U) / 8, "offset");
    made.type = read.u8("type");
    const bool typed = read.good();
    if (typed && !judge<kSectionTypeRule>(SectionType{made.type, header_.owner.heap}, here.place,
                                          file_.notes))
      return misread();
    if (header_.owner.heap && made.of_row()) {
      made.block_offset = read.number((header_.owner.bits + 7U) / 8, "block offset");
      made.row = read.u16("row");
      made.column = read.u16("column");
      made.count = read.u16("count");
    }
    set.whole = read.good();
    if (!set.whole) {
      judge<kSetFits>(set, here.place, file_.notes);
      return misread();
    }
    if (later && made.offset <= into_.sections.back().offset && !order.before)
      order = {into_.sections.back().offset, made.offset};
    into_.sections.push_back(made);
    return true;
  }

  const ManagerHeader& header_;
  Container& file_;
  FreeSpace& into_;
};

// False if it is refused.
bool read_list(const ManagerHeader& header, std::uint64_t address, Container& file,
               FreeSpace& into) {
  if (header.stored == 0) return true;
  const auto block = file.block("FSSE", header.list, header.allocated);
  if (!block) return false;
  const Region used = block->region().part(0, header.used);
  Cursor read(used);
  read.take(4, "signature");
  SectionList list{.region = used, .sum = sum_of(used), .version = read.u8("version")};
  list.owner = read.address(file.offset_size, "owner");
  list.owner_wanted = address;
  if (!judge<kSectionListRules>(list, used.place, file.notes)) return false;
  file.accept("FSSE", header.list, header.allocated);
  const Region sets = used.part(read.at(), used.size() - kChecksum - read.at());
  name_unused(sets);
  name_unused(block->region().part(used.size()));
  return ListReader(header, file, into).read(sets);
}

}  // namespace

void free_space_rules(RuleList& list) {
  list.structure<kManagerSignature, kManagerRules, kSectionListRules, kSetFits, kSetNotEmpty,
                 kSetSize, kSectionTypeRule, kSetOrderRule, kTotalRule, kUnstoredRule, kFileInside,
                 kFileSectionRules, kPagedRule>();
}

std::optional<FreeSpace> read_free_space(std::uint64_t address, const FreeSpaceOwner& owner,
                                         Container& file) {
  const std::uint64_t size =
      18 + 7 * std::uint64_t{file.length_size} + std::uint64_t{file.offset_size};
  const auto start = file.beginning("FSHD", address, size);
  if (!start) return std::nullopt;
  const Region region = start->region();
  Cursor read(region);
  ManagerHeader header{
      .region = region, .sum = sum_of(region), .owner = owner, .offset_size = file.offset_size};
  read.take(4, "signature");
  const unsigned length = file.length_size;
  header.version = read.u8("version");
  header.client = read.u8("client");
  header.total = read.number(length, "total");
  header.sections = read.number(length, "sections");
  header.stored = read.number(length, "stored");
  header.unstored = read.number(length, "unstored");
  header.classes = read.u16("classes");
  header.shrink = read.u16("shrink");
  header.expand = read.u16("expand");
  header.bits = read.u16("bits");
  header.most = read.number(length, "most");
  header.list = read.address(file.offset_size, "list");
  header.used = read.number(length, "used");
  header.allocated = read.number(length, "allocated");
  if (!judge<kManagerSignature>(header, region.place, file.notes)) return std::nullopt;
  if (region.size() < size) {
    file.block("FSHD", address, size);  // reports that it is not inside the file
    return std::nullopt;
  }
  if (!judge<kManagerRules>(header, region.place, file.notes)) return std::nullopt;
  file.accept("FSHD", address, size);
  FreeSpace made{.total = header.total,
                 .stored = header.stored,
                 .unstored = header.unstored,
                 .at = region.place};
  made.whole = read_list(header, address, file, made);
  return made;
}

namespace {

// What the header says about the sections of a file.
void judge_file_total(const FreeSpace& space, Container& file) {
  if (!space.whole) return;
  std::uint64_t found = 0;
  for (const FreeSection& each : space.sections) found = sum(found, each.size);
  judge<kTotalRule>(SpaceTotal{space.total, found}, space.at, file.notes);
}

}  // namespace

void judge_section_order(const FreeSpace& space, Container& file) {
  if (space.order) judge<kSetOrderRule>(*space.order, space.sets_at, file.notes);
}

void judge_heap_total(const FreeSpace& space, std::optional<FurtherRows> further, Container& file) {
  if (!space.whole || !further) return;
  std::uint64_t found = further->payload;
  for (const FreeSection& each : space.sections) found = sum(found, each.size);
  judge<kTotalRule>(SpaceTotal{space.total, found}, space.at, file.notes);
  judge<kUnstoredRule>(SpaceTotal{space.unstored, further->count}, space.at, file.notes);
}

namespace {

// Judges the sections; returns the managers that have one at fault.
std::set<std::size_t> judge_sections(const std::vector<std::optional<FreeSpace>>& managers,
                                     std::optional<std::uint64_t> page_size, std::uint64_t length,
                                     Container& file) {
  std::set<std::size_t> faulty;
  // If blocks are beyond the end, the end itself is at fault.
  if (file.notes.probe_of("swmr-block-inside-eof").total_findings() > 0) return faulty;
  struct Section {
    const FreeSection* section;
    std::size_t manager;
  };
  std::vector<Section> sorted;
  for (std::size_t i = 0; i < managers.size(); ++i)
    if (managers[i])
      for (const FreeSection& each : managers[i]->sections) {
        const FileSection judged{.section = each, .file = file, .superblock = length};
        if (!judge<kFileInside>(judged, each.at, file.notes)) {
          faulty.insert(i);
          continue;
        }
        if (each.size == 0) continue;
        sorted.push_back({&each, i});
      }
  std::ranges::stable_sort(sorted, {}, [](const Section& s) { return s.section->offset; });
  const std::vector<Extent>& used = file.extents.sorted();
  auto next = used.begin();
  const Section* furthest = nullptr;
  bool told = false;             // that the furthest one is at fault
  const Extent* last = nullptr;  // the block with the greatest end among those passed
  for (const Section& each : sorted) {
    const FreeSection& section = *each.section;
    FileSection judged{.section = section, .file = file};
    if (furthest && !told && section.offset < furthest->section->end())
      judged.before = furthest->section;
    for (; next != used.end() && next->address < section.end(); ++next)
      if (!last || next->end() > last->end()) last = &*next;
    // A block that has an error may be longer than it should be.
    if (last && last->end() > section.offset && last->address < section.end() &&
        !file.overlapping.contains(last->address) &&
        !file.notes.broken_block(file.base + last->address))
      judged.used = last;
    const bool sound = judge<kFileSectionRules>(judged, section.at, file.notes);
    if (!sound) {
      faulty.insert(each.manager);
      // Either of the two may be the one that is too long.
      if (judged.before) faulty.insert(furthest->manager);
    }
    told |= !sound && judged.before;
    if (!furthest || section.end() > furthest->section->end()) {
      furthest = &each;
      told = !sound;
    }
  }
  for (const Section& each : sorted)
    if (page_size && !faulty.contains(each.manager))
      judge<kPagedRule>(FileSection{.section = *each.section,
                                    .file = file,
                                    .manager = each.manager,
                                    .page_size = *page_size},
                        each.section->at, file.notes);
  return faulty;
}

}  // namespace

void judge_file_space(const std::vector<std::optional<FreeSpace>>& managers,
                      std::optional<std::uint64_t> page_size, std::uint64_t length,
                      Container& file) {
  const std::set<std::size_t> faulty = judge_sections(managers, page_size, length, file);
  for (std::size_t i = 0; i < managers.size(); ++i)
    if (managers[i] && !faulty.contains(i)) {
      judge_section_order(*managers[i], file);
      judge_file_total(*managers[i], file);
    }
}

}  // namespace hepcheck::hdf5
