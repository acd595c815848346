#include "validator/formats/tiledb/tree.h"

#include <algorithm>
#include <array>
#include <format>

#include "validator/integers.h"

namespace hepcheck::tiledb {

namespace {

constexpr std::uint64_t kBlock = 512;

// A header of an archive.
struct Header {
  std::string name{};
  std::uint64_t size = 0;
  char type = '0';
};

std::string_view field(std::span<const std::byte> block, std::size_t at, std::size_t size) {
  const std::string_view whole(reinterpret_cast<const char*>(block.data()) + at, size);
  return whole.substr(0, std::min(whole.find('\0'), whole.size()));
}

std::optional<std::uint64_t> octal(std::string_view digits) {
  std::uint64_t value = 0;
  std::size_t count = 0;
  for (const char c : digits) {
    if (c == ' ') continue;
    if (c < '0' || c > '7' || ++count > 20) return std::nullopt;
    value = value * 8 + static_cast<std::uint64_t>(c - '0');
  }
  return value;
}

std::optional<Header> read_entry_header(std::span<const std::byte> block) {
  if (field(block, 257, 5) != "ustar") return std::nullopt;
  const auto stated = octal(field(block, 148, 8));
  std::uint64_t sum_of_bytes = 0;
  for (std::size_t i = 0; i < kBlock; ++i)
    sum_of_bytes += i >= 148 && i < 156 ? 0x20u : std::to_integer<unsigned>(block[i]);
  const auto size = octal(field(block, 124, 12));
  if (!stated || *stated != sum_of_bytes || !size) return std::nullopt;
  Header made{.name = std::string(field(block, 0, 100)), .size = *size};
  if (const std::string_view prefix = field(block, 345, 155); !prefix.empty())
    made.name = std::string(prefix) + '/' + made.name;
  made.type = static_cast<char>(block[156]);
  if (made.type == '\0') made.type = '0';
  while (made.name.ends_with('/')) made.name.pop_back();
  if (made.name.starts_with("./")) made.name.erase(0, 2);
  return made;
}

MemberKind kind_of_type(char type) {
  switch (type) {
    case '0':
    case '7': return MemberKind::kFile;
    case '1':
    case '2': return MemberKind::kLink;
    case '5': return MemberKind::kDirectory;
    case '6': return MemberKind::kPipe;
    default: return MemberKind::kDevice;
  }
}

bool is_of_array(std::string_view name) {
  return name.contains("__schema") || name.ends_with("__array_schema.tdb");
}

// A name that leads out of the archive is never used.
bool stays_inside(std::string_view name) {
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find('/', at), name.size());
    const std::string_view part = name.substr(at, end - at);
    if (part.empty() || part == "." || part == "..") return false;
    at = end + 1;
  }
  return true;
}

}  // namespace

Tree Tree::of(const Members& members) {
  Tree made;
  for (const Member& each : members.all())
    made.entries_.push_back(
        {each.name, each.kind, each.bytes, each.error ? each.error->cause : std::string()});
  made.sort();
  return made;
}

std::optional<Tree> Tree::of_archive(std::span<const std::byte> archive, const Limits& limits,
                                     std::string& reason) {
  Tree made;
  std::uint64_t at = 0;
  const auto broken = [&](std::string why) {
    reason = std::format("tar archive, byte {}: {}", at, why);
    return std::nullopt;
  };
  while (archive.size() - at >= kBlock) {
    const auto block = archive.subspan(at, kBlock);
    if (std::ranges::all_of(block, [](std::byte b) { return b == std::byte{}; })) {
      at = archive.size();
      break;
    }
    const auto header = read_entry_header(block);
    if (!header) return broken("not a header of an entry");
    at += kBlock;
    if (header->size > archive.size() - at) return broken("the archive ends inside an entry");
    const auto content = archive.subspan(at, header->size);
    at += std::min(rounded_up(header->size, kBlock), archive.size() - at);
    if (header->type == 'x' || header->type == 'g') continue;
    if (header->name == "." || header->name.empty()) continue;
    if (!stays_inside(header->name) || header->name.size() > limits.member_name)
      return broken("a name that is not one of a member");
    if (made.entries_.size() >= limits.members)
      return broken(std::format("more than {} entries", limits.members));
    made.entries_.push_back(
        {header->name, kind_of_type(header->type), Bytes::of_image(content, header->name), {}});
  }
  if (at != archive.size()) return broken("an incomplete block");
  made.sort();
  // Archives are mostly made of the directory, and not of what is in it.
  if (made.entries_.empty()) return made;
  const std::string first =
      made.entries_.front().name.substr(0, made.entries_.front().name.find('/')) + '/';
  const bool one =
      !first.starts_with("__") && std::ranges::all_of(made.entries_, [&](const Entry& each) {
        return each.name.starts_with(first) ||
               (each.name + '/' == first && each.kind == MemberKind::kDirectory);
      });
  if (one) {
    std::erase_if(made.entries_, [&](const Entry& each) { return each.name + '/' == first; });
    for (Entry& each : made.entries_) each.name.erase(0, first.size());
  }
  // Directories need not have entries of their own.
  std::vector<Entry> implied;
  for (const Entry& each : made.entries_)
    for (std::size_t slash = each.name.find('/'); slash != std::string::npos;
         slash = each.name.find('/', slash + 1)) {
      std::string directory = each.name.substr(0, slash);
      if (implied.empty() || implied.back().name != directory)
        implied.push_back({std::move(directory), MemberKind::kDirectory, {}, {}});
    }
  made.entries_.insert(made.entries_.end(), implied.begin(), implied.end());
  made.sort();
  return made;
}

void Tree::sort() {
  std::ranges::stable_sort(entries_, {}, &Entry::name);
  const auto [first, last] = std::ranges::unique(entries_, {}, &Entry::name);
  entries_.erase(first, last);
}

const Entry* Tree::find(std::string_view name) const {
  const auto it = std::ranges::lower_bound(entries_, name, {}, &Entry::name);
  return it != entries_.end() && it->name == name ? &*it : nullptr;
}

bool Tree::has_file(std::string_view name) const {
  const Entry* const entry = find(name);
  return entry && entry->kind == MemberKind::kFile;
}

bool Tree::has_directory(std::string_view name) const {
  const Entry* const entry = find(name);
  return entry && entry->kind == MemberKind::kDirectory;
}

std::vector<const Entry*> Tree::in(std::string_view directory) const {
  const std::string prefix = directory.empty() ? std::string() : std::string(directory) + '/';
  std::vector<const Entry*> made;
  for (auto it = std::ranges::lower_bound(entries_, prefix, {}, &Entry::name);
       it != entries_.end() && it->name.starts_with(prefix); ++it)
    if (it->name.find('/', prefix.size()) == std::string::npos) made.push_back(&*it);
  return made;
}

bool is_archive(const Bytes& file) {
  std::array<std::byte, kBlock> block{};
  return file.read(0, block) && read_entry_header(block).has_value();
}

bool is_archived_array(const Bytes& file) {
  constexpr unsigned kLooked = 64;
  std::array<std::byte, kBlock> block{};
  std::uint64_t at = 0;
  for (unsigned i = 0; i < kLooked && file.read(at, block); ++i) {
    const auto header = read_entry_header(block);
    if (!header) return false;
    if (is_of_array(header->name)) return true;
    at = sum(at + kBlock, rounded_up(header->size, kBlock));
    if (at > file.size()) return false;
  }
  return false;
}

}  // namespace hepcheck::tiledb
