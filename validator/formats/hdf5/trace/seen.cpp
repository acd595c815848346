#include "validator/formats/hdf5/trace/seen.h"

#include <algorithm>
#include <charconv>
#include <format>
#include <limits>
#include <numeric>

#include "validator/catalogue/clause.h"
#include "validator/formats/hdf5/lookup3.h"
#include "validator/formats/hdf5/specifications.h"
#include "validator/formats/hdf5/walk.h"

namespace hepcheck::hdf5::trace {

namespace {

constexpr std::uint64_t kManyFindings = 1000;

// "EADB @ 2048 + 12", as Place::text writes it.
void place_of(std::string_view where, Trouble& into) {
  const std::size_t at = where.find(" @ ");
  into.kind = where.substr(0, at);
  if (at == std::string_view::npos) return;
  const char* const end = where.data() + where.size();
  const auto read = std::from_chars(where.data() + at + 3, end, into.block);
  if (end - read.ptr > 3) std::from_chars(read.ptr + 3, end, into.offset);
}

void describe(const Dataset& dataset, DatasetSeen& into) {
  into.described = dataset.known == Dataset::Known::kLayout;
  if (!into.described) return;
  into.chunked = dataset.layout.chunked();
  into.filtered = dataset.filtered();
  into.layout_version = dataset.layout.version;
  const std::span sizes = std::span(dataset.space.sizes).first(dataset.rank()),
                  maxima = std::span(dataset.space.maxima).first(dataset.rank());
  into.sizes.assign(sizes.begin(), sizes.end());
  into.maxima.assign(maxima.begin(), maxima.end());
  if (into.chunked) {
    into.index = dataset.index();
    into.index_address = dataset.layout.address;
    into.chunk.assign(dataset.chunk().begin(), dataset.chunk().end());
  }
  into.variable_length = dataset.type.variable_length;
  into.heap_reference = dataset.type.region_reference || dataset.type.attribute_reference;
  if (dataset.type.type_class == TypeClass::kReference) into.reference = dataset.type.bits & 15;
  into.references = dataset.type.references;
  into.element_size = dataset.type.size;
}

std::vector<std::uint64_t> reach_of(const std::vector<BlockSeen>& blocks) {
  std::vector<std::uint64_t> reach;
  for (const BlockSeen& block : blocks)
    reach.push_back(std::max(block.span.end, reach.empty() ? 0 : reach.back()));
  return reach;
}

// The ones that overlap the span, the last one first.
template <class Use>
void each_in(const std::vector<BlockSeen>& blocks, const std::vector<std::uint64_t>& reach,
             const Span& span, const Use& use) {
  std::size_t i = static_cast<std::size_t>(
      std::ranges::lower_bound(blocks, span.end, {},
                               [](const BlockSeen& block) { return block.span.begin; }) -
      blocks.begin());
  for (; i > 0 && reach[i - 1] > span.begin; --i)
    if (blocks[i - 1].span.meets(span)) use(blocks[i - 1]);
}

class Eye {
 public:
  // `object`: ContainerWalk::Options::object.
  Seen look(const Image& image, bool being_written,
            std::optional<std::uint64_t> object = std::nullopt) {
    const Bytes bytes = Bytes::of_image(std::as_bytes(std::span(image)), "");
    const std::optional<std::uint64_t> position = find_signature(bytes);
    if (!position) {
      seen_.unreadable = "the superblock is missing";
      return std::move(seen_);
    }
    seen_.base = *position;
    ContainerWalk walk(bytes, *position, spec_, kManyFindings, limits_,
                       {.chunks = [&](const Dataset&, const Chunk& chunk) { take(chunk); },
                        .datasets = [&](const Dataset& dataset) { take(dataset); },
                        .being_written = being_written,
                        .object = object});
    walk_ = &walk;
    walk.run();
    seen_.version = walk.superblock().version;
    seen_.flags = walk.superblock().status;
    seen_.offset_size = std::min<unsigned>(8, walk.superblock().offset_size);
    seen_.length_size = std::min<unsigned>(8, walk.superblock().length_size);
    seen_.end = walk.superblock().end_of_file;
    collect(walk);
    return std::move(seen_);
  }

 private:
  std::uint64_t address_of(std::uint32_t object) const {
    const std::uint64_t address = walk_->objects()[object].address;
    return address == kUndefined ? kUndefined : seen_.base + address;
  }

  void take(const Dataset& dataset) {
    DatasetSeen& made = *datasets_.emplace_back(std::make_shared<DatasetSeen>());
    made.header = address_of(dataset.object);
    made.path = walk_->objects().path(dataset.object);
    describe(dataset, made);
    current_ = &made;
    if (made.index_address != kUndefined) made.index_address += seen_.base;
  }
  // Adds a chunk to the last dataset.
  void take(const Chunk& chunk) {
    current_->chunks.add(chunk.scaled, {Span::of(seen_.base + chunk.address, chunk.size),
                                        chunk.at.kind, chunk.at.block});
  }

  void collect(ContainerWalk& walk) {
    bool superblock = true;
    std::ranges::stable_sort(datasets_, {}, [](const auto& each) { return each->header; });
    for (std::shared_ptr<DatasetSeen>& dataset : datasets_) {
      dataset->chunks.sort();
      seen_.datasets.put(std::move(dataset));
    }
    Paths paths;
    for (std::uint32_t i = 0; i < walk.objects().size(); ++i)
      if (walk.objects()[i].visited && walk.objects()[i].sound)
        paths.emplace(address_of(i), walk.objects().path(i));
    seen_.paths = std::make_shared<const Paths>(std::move(paths));
    seen_.entangled = walk.entangled();
    for (const TableRecord& table : walk.tables()) seen_.tables.insert(address_of(table.object));
    Extents& extents = walk.container().extents;
    for (const Extent& extent : extents.sorted()) {
      const bool raw = extents.is_raw(extent);
      (raw ? seen_.raw : seen_.blocks)
          .push_back({raw ? std::string_view() : extents.kind(extent),
                      Span::of(seen_.base + extent.address, extent.size),
                      address_of(extent.object)});
    }
    seen_.reach = reach_of(seen_.blocks);
    seen_.raw_reach = reach_of(seen_.raw);
    const std::string not_examined = walk.not_examined();
    const std::vector<Probe> probes = std::move(walk.notes()).probes();
    for (std::size_t i = 0; i < probes.size(); ++i) {
      if (probes[i].findings().empty()) continue;
      const Clause* clause = clauses_of<kClauseIds>(spec_)[i];
      const bool beyond = kClauseIds[i] == ClauseId("swmr-chunk-inside-extent").str();
      // Links are counted when the last group has been read; readers do not use the count.
      if (kClauseIds[i] == ClauseId("swmr-ohdr-reference-count").str()) continue;
      if (!clause || (clause->default_severity != Severity::kError && !beyond)) continue;
      const bool of_superblock = clause->id.starts_with("swmr-superblock-");
      for (const Finding& finding : probes[i].findings()) {
        if (of_superblock && superblock)
          seen_.unreadable = std::format("{} ({})", finding.observed, clause->id);
        superblock &= !of_superblock;
        if (beyond) seen_.beyond.insert(finding.object);
        if (beyond || of_superblock) continue;
        Trouble trouble{.clause = clause->id,
                        .object = finding.object,
                        .observed = finding.observed,
                        .expected = finding.expected};
        place_of(finding.where, trouble);
        seen_.errors.push_back(std::move(trouble));
      }
    }
    if (!not_examined.empty()) seen_.unreadable = not_examined;
    seen_.readable = superblock && not_examined.empty();
  }

  const Specification& spec_ = swmr_design();
  Limits limits_{};
  Seen seen_{};
  const ContainerWalk* walk_ = nullptr;
  std::vector<std::shared_ptr<DatasetSeen>> datasets_{};
  DatasetSeen* current_ = nullptr;
};

}  // namespace

Span Span::of(std::uint64_t address, std::uint64_t size) { return {address, sum(address, size)}; }

std::strong_ordering in_order(ChunkList::Place a, ChunkList::Place b) {
  return std::lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end());
}

void ChunkList::add(Place place, const ChunkSeen& chunk) {
  rank_ = place.size();
  places_.insert(places_.end(), place.begin(), place.end());
  chunks_.push_back(chunk);
}

void ChunkList::sort() {
  const auto follows = [&](std::size_t i) { return in_order(place(i - 1), place(i)) < 0; };
  if (std::ranges::all_of(std::views::iota(std::min<std::size_t>(1, size()), size()), follows))
    return;
  std::vector<std::size_t> order(size());
  std::ranges::iota(order, 0);
  std::ranges::stable_sort(
      order, [&](std::size_t a, std::size_t b) { return in_order(place(a), place(b)) < 0; });
  ChunkList sorted;
  for (std::size_t i = 0; i < order.size(); ++i)
    if (i + 1 == order.size() || in_order(place(order[i]), place(order[i + 1])) != 0)
      sorted.add(place(order[i]), chunks_[order[i]]);
  *this = std::move(sorted);
}

const ChunkSeen* ChunkList::find(Place wanted) const {
  const auto numbers = std::views::iota(std::size_t{0}, size());
  const auto found = std::ranges::partition_point(
      numbers, [&](std::size_t i) { return in_order(place(i), wanted) < 0; });
  return found != numbers.end() && in_order(place(*found), wanted) == 0 ? &chunks_[*found]
                                                                        : nullptr;
}

void Datasets::put(Kept dataset) { all_.push_back(std::move(dataset)); }

const DatasetSeen* Datasets::find(std::uint64_t header) const {
  const auto found =
      std::ranges::lower_bound(all_, header, {}, [](const Kept& each) { return each->header; });
  return found != all_.end() && (*found)->header == header ? found->get() : nullptr;
}

void Datasets::replace(Kept dataset) {
  *std::ranges::lower_bound(all_, dataset->header, {},
                            [](const Kept& each) { return each->header; }) = std::move(dataset);
}

bool DatasetSeen::inside(ChunkList::Place place) const {
  for (std::size_t d = 0; d < sizes.size() && d < place.size() && d < chunk.size(); ++d)
    if (product(place[d], chunk[d]) >= sizes[d]) return false;
  return true;
}

unsigned DatasetSeen::unlimited() const {
  return static_cast<unsigned>(std::ranges::count(maxima, kUndefined));
}

const BlockSeen* Seen::block_at(std::uint64_t address) const {
  const auto found = std::ranges::lower_bound(
      blocks, address, {}, [](const BlockSeen& block) { return block.span.begin; });
  return found != blocks.end() && found->span.begin == address ? &*found : nullptr;
}

const BlockSeen* Seen::block_in(const Span& span) const {
  const BlockSeen* first = nullptr;
  each_in(blocks, reach, span, [&](const BlockSeen& block) { first = &block; });
  return first;
}

namespace {

std::uint32_t number_of(std::string_view four) {
  std::uint32_t number = 0;
  for (std::size_t i = four.size(); i > 0; --i)
    number = number << 8 | static_cast<unsigned char>(four[i - 1]);
  return number;
}

// The beginning of the superblock, if it has marks: versions 2 and 3. Byte 11 contains its status
// flags, followed by four addresses and the checksum.
std::optional<std::size_t> marked_superblock(const Image& image) {
  const std::optional<std::uint64_t> at =
      find_signature(Bytes::of_image(std::as_bytes(std::span(image)), ""));
  if (!at || image.size() - *at < 12 || image[*at + 8] < 2 || image[*at + 8] > 3 ||
      image.size() - *at < 16 + 4 * (image[*at + 9] & 0xffU))
    return std::nullopt;
  return *at;
}

}  // namespace

Seen see_with_room(const Image& image) { return Eye().look(image, /*being_written=*/true); }

namespace {

// The only dataset with blocks in the span, none of which is the parent of others; null if there is
// none.
const DatasetSeen* only_one_in(const Seen& seen, const Span& span) {
  if (!seen.readable || seen.entangled || !seen.errors.empty()) return nullptr;
  std::set<std::uint64_t> objects;
  each_in(seen.blocks, seen.reach, span,
          [&](const BlockSeen& block) { objects.insert(block.object); });
  return objects.size() == 1 ? seen.datasets.find(*objects.begin()) : nullptr;
}

// Whether some of them overlap `others`.
bool any_in(const std::vector<BlockSeen>& blocks, const std::vector<std::uint64_t>& reach,
            const std::vector<BlockSeen>& others) {
  bool any = false;
  for (const BlockSeen& other : others)
    each_in(blocks, reach, other.span, [&](const BlockSeen&) { any = true; });
  return any;
}

// Replaces the entries of `object`; false if another object has some of its bytes.
bool exchange(std::vector<BlockSeen>& all, const std::vector<BlockSeen>& own,
              std::uint64_t object) {
  std::erase_if(all, [&](const BlockSeen& block) { return block.object == object; });
  const auto reach = reach_of(all);
  const bool free = !any_in(all, reach, own);
  const auto middle = static_cast<std::ptrdiff_t>(all.size());
  all.insert(all.end(), own.begin(), own.end());
  std::ranges::inplace_merge(all, all.begin() + middle, {},
                             [](const BlockSeen& block) { return block.span.begin; });
  return free;
}

std::optional<Seen> see_one_again(const Image& image, const Seen& before, const Span& span) {
  const DatasetSeen* old = only_one_in(before, span);
  if (!old) return std::nullopt;
  Seen own = Eye().look(image, /*being_written=*/true, old->header - before.base);
  const DatasetSeen* now = own.datasets.find(old->header);
  if (!own.readable || own.entangled || !own.errors.empty() || !now) return std::nullopt;
  Seen after = before;
  if (!exchange(after.blocks, own.blocks, old->header) ||
      !exchange(after.raw, own.raw, old->header))
    return std::nullopt;
  after.reach = reach_of(after.blocks);
  after.raw_reach = reach_of(after.raw);
  if (any_in(after.raw, after.raw_reach, own.blocks) || any_in(after.blocks, after.reach, own.raw))
    return std::nullopt;
  DatasetSeen dataset = *now;
  dataset.path = old->path;
  after.beyond.erase(old->path);
  if (!own.beyond.empty()) after.beyond.insert(old->path);
  after.datasets.replace(std::make_shared<const DatasetSeen>(std::move(dataset)));
  return after;
}

}  // namespace

Seen see_again(const Image& image, const Seen& before, const Span& span) {
  std::optional<Seen> seen = see_one_again(image, before, span);
  return seen ? std::move(*seen) : see_with_room(image);
}

Seen see_on_disk(const Image& image) {
  if (swmr_marked(image)) return Eye().look(image, /*being_written=*/true);
  Image closed = image;
  clear_marks(closed);
  return Eye().look(closed, /*being_written=*/false);
}

std::uint8_t marks_of(const Image& image) {
  const auto at = marked_superblock(image);
  return at ? static_cast<std::uint8_t>(image[*at + 11]) : 0;
}

bool clear_marks(Image& image, bool end) {
  const auto at = marked_superblock(image);
  if (!at || image[*at + 11] == 0) return false;
  const std::size_t width = image[*at + 9] & 0xffU, length = 12 + 4 * width;
  const auto bytes = std::as_bytes(std::span(image)).subspan(*at, length);
  // A torn superblock does not become a valid one.
  if (number_of(std::string_view(image).substr(*at + length, 4)) != lookup3(bytes)) return false;
  image[*at + 11] = 0;
  // The third address is the end.
  if (end)
    for (std::size_t i = 0, value = image.size(); i < width; ++i, value >>= 8)
      image[*at + 12 + 2 * width + i] = static_cast<char>(value & 0xff);
  std::uint32_t sum = lookup3(bytes);
  for (std::size_t i = 0; i < 4; ++i, sum >>= 8)
    image[*at + length + i] = static_cast<char>(sum & 0xff);
  return true;
}

}  // namespace hepcheck::hdf5::trace
