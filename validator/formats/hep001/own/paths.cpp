#include "validator/formats/hep001/own/paths.h"

#include <algorithm>
#include <format>
#include <utility>

#include "validator/formats/hdf5/link.h"
#include "validator/formats/hdf5/object_parts.h"
#include "validator/formats/hep001/reader/read_tables.h"

namespace hepcheck::hep001::own {

namespace {

constexpr std::uint64_t kMostKept = 1'000'000;  // links in memory
constexpr std::size_t kLongestValue = 64 * 1024;
constexpr unsigned kMostSoftLinks = 16;  // as in libhdf5

LinkInfo link_of(hdf5::Link&& link) {
  LinkInfo made{.name = until_zero(std::move(link.name))};
  if (link.hard) {
    made.token = token_at(link.target);
    return made;
  }
  made.kind = link.type == hdf5::Link::kSoft       ? Child::LinkKind::kSoft
              : link.type == hdf5::Link::kExternal ? Child::LinkKind::kExternal
                                                   : Child::LinkKind::kUserDefined;
  // libhdf5 counts the zero after a path, and knows nothing about the values of other links.
  if (made.kind != Child::LinkKind::kUserDefined)
    made.value_bytes = link.value.size() + (made.kind == Child::LinkKind::kSoft ? 1 : 0);
  if (made.value_bytes > kLongestValue) return made;
  if (made.kind == Child::LinkKind::kSoft)
    made.value = until_zero(std::move(link.value));
  else if (const auto target = hdf5::external_target(link))
    made.value = std::format("{}:{}", target->file, target->object);
  return made;
}

// The next name on a path, and the rest after it.
std::string next_name(std::string_view& path) {
  path.remove_prefix(std::min(path.find_first_not_of('/'), path.size()));
  const std::size_t end = std::min(path.find('/'), path.size());
  std::string name(path.substr(0, end));
  path.remove_prefix(end);
  return name;
}

}  // namespace

std::vector<LinkInfo> links_of(const hdf5::ObjectHeader& header, const std::string& path,
                               std::uint64_t limit, Context& context,
                               std::optional<std::string>& trouble) {
  std::vector<hdf5::Link> stored;
  {
    const Attempt attempt(context);
    const bool sound = hdf5::read_links(header, path, context.container(), stored);
    if (const auto why = attempt.trouble())
      trouble = "links: " + *why;
    else if (!sound)
      trouble = "links: some are refused";
  }
  if (!trouble && stored.size() > limit)
    trouble = std::format("more links than the limit of {}", limit);
  std::vector<LinkInfo> links;
  links.reserve(std::min<std::uint64_t>(stored.size(), limit));
  for (hdf5::Link& link : stored)
    if (links.size() < limit) links.push_back(link_of(std::move(link)));
  return links;
}

const Paths::Names& Paths::names(std::uint64_t group) {
  const auto [it, fresh] = groups_.try_emplace(group);
  if (!fresh) return it->second;
  Names made;
  std::optional<std::string> trouble;
  const auto header = context_.header(group, trouble);
  if (header && own::kind_of(*header) == ObjectKind::kGroup)
    for (LinkInfo& link : links_of(*header, "", context_.limits.links, context_, trouble)) {
      Target target{.hard = link.kind == Child::LinkKind::kHard, .address = address_of(link.token)};
      if (link.kind == Child::LinkKind::kSoft) target.soft = std::move(link.value);
      made.emplace(std::move(link.name), std::move(target));
    }
  kept_ += made.size();
  if (kept_ > kMostKept) {
    groups_.clear();
    kept_ = made.size();
  }
  return groups_[group] = std::move(made);
}

std::optional<std::uint64_t> Paths::resolve(std::uint64_t group, std::string path) {
  const std::uint64_t root = context_.walk.superblock().root;
  unsigned followed = 0;
  std::uint64_t at = path.starts_with('/') ? root : group;
  if (!context_.container().charge(path.size())) return std::nullopt;
  std::string_view rest = path;
  for (std::string name = next_name(rest); !name.empty(); name = next_name(rest)) {
    if (name == ".") continue;
    const Names& all = names(at);
    const auto it = all.find(name);
    if (it == all.end()) return std::nullopt;
    if (it->second.hard) {
      at = it->second.address;
      continue;
    }
    // A soft link is replaced by its path, before what follows it.
    const std::string& soft = it->second.soft;
    const std::uint64_t size = soft.size() + rest.size();
    if (soft.empty() || ++followed > kMostSoftLinks || size > 2 * kLongestValue ||
        !context_.container().charge(size))
      return std::nullopt;
    if (soft.starts_with('/')) at = root;
    std::string next = soft + std::string(rest);
    path = std::move(next);
    rest = path;
  }
  const TargetObject& target = context_.target(at);
  if (!target.unreadable.empty() || target.kind == ObjectKind::kUnknown) return std::nullopt;
  return at;
}

std::string Paths::path_of(std::uint64_t address) {
  if (!std::exchange(found_all_, true)) find_all();
  const auto it = paths_.find(address);
  return it == paths_.end() ? std::string() : it->second;
}

void Paths::find_all() {
  const std::uint64_t root = context_.walk.superblock().root;
  struct Ahead {
    std::uint64_t address;
    std::string path;
  };
  std::vector<Ahead> ahead{{root, "/"}};
  std::uint64_t bytes = 0;
  constexpr std::uint64_t kMostBytes = std::uint64_t{32} << 20;
  while (!ahead.empty() && paths_.size() < context_.limits.objects && bytes < kMostBytes) {
    const Ahead next = std::move(ahead.back());
    ahead.pop_back();
    if (!paths_.emplace(next.address, next.path).second) continue;
    std::optional<std::string> trouble;
    const auto header = context_.header(next.address, trouble);
    if (!header || own::kind_of(*header) != ObjectKind::kGroup) continue;
    const std::size_t before = ahead.size();
    for (const LinkInfo& link :
         links_of(*header, next.path, context_.limits.links, context_, trouble))
      if (link.kind == Child::LinkKind::kHard && bytes < kMostBytes) {
        ahead.push_back({address_of(link.token), join_path(next.path, link.name)});
        bytes += ahead.back().path.size();
      }
    // The first link of a group is followed first.
    std::reverse(ahead.begin() + static_cast<std::ptrdiff_t>(before), ahead.end());
  }
}

}  // namespace hepcheck::hep001::own
