// IV.A.2.g: the links of a group together; and the risks of links.
#include "validator/formats/hdf5/group_rules.h"

#include <algorithm>
#include <format>

#include "validator/formats/hdf5/profile.h"
#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

constexpr std::uint64_t kMostKept = 1'000'000, kMostSteps = 10'000'000;
constexpr std::uint64_t kMostWalked = std::uint64_t{1} << 28;
constexpr unsigned kMostSoft = 16, kDeepGroup = 64;

struct LinksOf {
  const std::vector<Link>& links;
  const Dense* info;
};

void order_as_info(const LinksOf& it, Look& look) {
  if (!it.info || it.links.empty()) return;
  look.looked(it.links.size());
  for (const Link& link : it.links)
    if (link.order.has_value() != it.info->tracked)
      return look.fail(0,
                       std::format("the link \"{}\" {} a creation order", link.name,
                                   link.order ? "with" : "without"),
                       it.info->tracked ? "an order, as the group tracks it"
                                        : "no order, as the group does not track it");
}

void order_unique(const LinksOf& it, Look& look) {
  // Those of dense links are compared in their index.
  if (!it.info || it.info->any()) return;
  std::vector<std::uint64_t> orders;
  for (const Link& link : it.links)
    if (link.order) orders.push_back(*link.order);
  if (orders.empty()) return;
  look.looked(orders.size());
  std::ranges::sort(orders);
  if (const auto twice = std::ranges::adjacent_find(orders); twice != orders.end())
    look.fail(0, std::format("creation order {} twice", *twice), "each number once");
}

constexpr Rule<LinksOf> kGroupRules[] = {
    {"h5-link-order-as-info", order_as_info},
    {"h5-link-order-unique", order_unique},
};

struct SoftLink {
  const std::string& value;
  bool looped, missing;
};

constexpr Rule kLoopRule("h5-risk-soft-link-loop", [](const SoftLink& it, Look& look) {
  look.looked();
  if (it.looped)
    look.fail(0,
              std::format("a soft link to \"{}\" that leads to itself, or over more "
                          "than 16 others",
                          it.value),
              "a way that ends");
});

constexpr Rule kDanglingRule("h5-risk-soft-link-dangling", [](const SoftLink& it, Look& look) {
  look.looked();
  if (it.missing)
    look.fail(0, std::format("a soft link to \"{}\", which does not exist", it.value),
              "an object of the file");
});

struct Cycles {
  std::uint64_t count;
  const std::string& first;
};

constexpr Rule kCycleRule("h5-risk-group-cycle", [](const Cycles& it, Look& look) {
  look.looked();
  if (it.count > 0)
    look.fail(0, std::format("{} links to a group above, the first {}", it.count, it.first),
              "a tree of groups");
});

struct Deepest {
  std::uint32_t depth;
};

constexpr Rule kGroupDepthRule("h5-risk-group-depth", [](const Deepest& it, Look& look) {
  look.looked();
  if (it.depth > kDeepGroup)
    look.fail(0, std::format("{} groups inside one another", it.depth), "64 at most");
});

struct Reached {
  std::uint64_t objects, attributes;
};

constexpr Rule kManyRule("h5-risk-objects-many", [](const Reached& it, Look& look) {
  constexpr std::uint64_t kMany = 100'000;
  look.looked();
  if (it.objects > kMany || it.attributes > kMany)
    look.fail(0, std::format("{} objects, {} attributes", it.objects, it.attributes),
              "100,000 of either at most");
});

}  // namespace

void group_rules(RuleList& list) {
  list.structure<kGroupRules, kLoopRule, kDanglingRule, kCycleRule, kGroupDepthRule, kManyRule>();
}

void judge_links(const std::vector<Link>& links, const Dense* info, const std::string& path,
                 Container& file) {
  judge_each<kGroupRules>(LinksOf{links, info},
                          info            ? info->at
                          : links.empty() ? Place{}
                                          : links.front().at,
                          file.notes);
  const std::string parent = path == "/" ? "" : path;
  for (const Link& link : links) {
    if (link.type == Link::kExternal) {
      if (const auto target = external_target(link))
        file.profile.external_link(parent + "/" + link.name, target->file, target->object);
      else
        file.profile.external_link(parent + "/" + link.name, "?", "?");
    } else if (link.type > Link::kExternal) {
      file.profile.add(Profile::Kind::kUserLink,
                       std::format("{}/{} of type {}", parent, link.name, link.type));
    }
  }
}

void LinkGraph::add(std::uint32_t group, const Link& link, std::optional<std::uint32_t> target) {
  complete_ = ++kept_ <= kMostKept;
  if (!complete_) return;
  End end{.object = target};
  if (link.type == Link::kSoft) {
    end.soft = link.value;
    soft_.push_back({group, link.name, link.value, link.at});
  } else if (!target) {
    end.elsewhere = true;
  }
  groups_[group].emplace(link.name, std::move(end));
}

void LinkGraph::again(std::uint32_t group, std::uint32_t target, const Link& link,
                      const Objects& objects) {
  for (std::uint32_t above = group; steps_++ < kMostSteps; above = objects[above].parent) {
    if (above == target) {
      const std::string path = objects.path(group);
      if (cycles_++ == 0) cycle_ = (path == "/" ? "" : path) + "/" + link.name;
      return;
    }
    if (above == 0) return;
  }
}

LinkGraph::Way LinkGraph::resolve(std::uint32_t group, const std::string& path, unsigned& followed,
                                  std::uint32_t& at) {
  walked_ += path.size();
  complete_ &= walked_ <= kMostWalked;
  if (!complete_) return Way::kUnknown;
  at = path.starts_with('/') ? 0 : group;
  std::size_t begin = 0;
  while (begin < path.size()) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string name = path.substr(begin, end - begin);
    begin = end + 1;
    if (name.empty() || name == ".") continue;
    const auto links = groups_.find(at);
    if (links == groups_.end()) return Way::kNothing;
    const auto link = links->second.find(name);
    if (link == links->second.end()) return Way::kNothing;
    if (link->second.elsewhere) return Way::kUnknown;
    if (link->second.object) {
      at = *link->second.object;
      continue;
    }
    if (++followed > kMostSoft) return Way::kLoop;
    const Way way = resolve(at, link->second.soft, followed, at);
    if (way != Way::kFound) return way;
  }
  return Way::kFound;
}

void LinkGraph::judge_all(const Objects& objects, bool whole, Container& file) {
  const Place at = file.place("superblock", 0);
  std::uint32_t depth = 0;
  for (std::uint32_t i = 0; i < objects.size(); ++i)
    if (objects[i].kind == ObjectKind::kGroup) depth = std::max(depth, objects[i].depth);
  if (complete_ && whole) {
    for (const Soft& soft : soft_) {
      if (++steps_ > kMostSteps) break;
      unsigned followed = 1;
      std::uint32_t end = 0;
      const Way way = resolve(soft.group, soft.value, followed, end);
      if (way == Way::kUnknown) continue;
      file.notes.enter(soft.group);
      const SoftLink judged{soft.value, way == Way::kLoop, way == Way::kNothing};
      judge<kLoopRule>(judged, soft.at, file.notes);
      judge<kDanglingRule>(judged, soft.at, file.notes);
    }
  }
  if (!soft_.empty() && !(complete_ && whole)) {
    file.notes.blocked("h5-risk-soft-link-dangling", "not all groups were read");
    file.notes.blocked("h5-risk-soft-link-loop", "not all groups were read");
  }
  file.notes.enter(0);
  judge<kCycleRule>(Cycles{cycles_, cycle_}, at, file.notes);
  judge<kGroupDepthRule>(Deepest{depth}, at, file.notes);
  judge<kManyRule>(Reached{objects.size(), file.profile.attributes}, at, file.notes);
}

}  // namespace hepcheck::hdf5
