#include "validator/formats/hdf5/chunk_list.h"

#include <algorithm>
#include <format>
#include <utility>

#include "validator/catalogue/clause.h"
#include "validator/formats/hdf5/superblock.h"
#include "validator/formats/hdf5/walk.h"

namespace hepcheck::hdf5 {

namespace {

constexpr char kDataset = 'd', kChunks = 'c', kEnd = 'e';
constexpr std::size_t kBatch = std::size_t{1} << 16;  // bytes
constexpr std::uint64_t kFindings = 1;  // the number kept per clause: further ones are counted

class Teller {
 public:
  explicit Teller(const Tell& tell) : tell_(tell) {}

  void dataset(const Dataset& dataset, const std::string& path) {
    flush();
    MessageWriter message(kDataset);
    message.put(dataset.object);
    message.put(path);
    message.put(to_string(dataset.index()));
    message.put(dataset.rank());
    for (const std::uint64_t size : dataset.space.size()) message.put(size);
    for (const std::uint64_t size : dataset.chunk()) message.put(size);
    tell_(message.bytes());
  }

  void chunk(const Dataset& dataset, const Chunk& chunk, std::uint64_t base) {
    if (batch_.size() == 1) batch_.put(dataset.object);
    for (unsigned d = 0; d < dataset.rank(); ++d)
      batch_.put(product(chunk.scaled[d], dataset.layout.chunk[d]));
    batch_.put(chunk.mask);
    batch_.put(sum(base, chunk.address));
    batch_.put(chunk.size);
    if (batch_.size() >= kBatch) flush();
  }

  void flush() {
    if (batch_.size() > 1) tell_(batch_.bytes());
    batch_ = MessageWriter(kChunks);
  }

 private:
  const Tell& tell_;
  MessageWriter batch_{kChunks};
};

// Why lists are not whole: those of one dataset, or all of them.
struct ListTrouble {
  std::string path{};  // of the dataset; empty: all
  std::string text{};
};

// The reason why the lists of a walk are incomplete.
std::vector<std::string> trouble_of(const ContainerWalk& walk,
                                    const std::optional<std::string>& only) {
  std::vector<std::string> trouble;
  if (!walk.found())
    trouble.push_back("no object " + *only);
  else if (!walk.not_examined().empty())
    trouble.push_back("not examined: " + walk.not_examined());
  else if (!walk.all_read())
    trouble.emplace_back("part of the metadata is invalid, or could not be examined");
  if (trouble.empty() && only &&
      std::ranges::none_of(walk.datasets(), [](const DatasetRecord& each) {
        return each.described && each.layout_class == LayoutClass::kChunked;
      }))
    trouble.push_back(*only + " is not a chunked dataset, and there is none below it");
  return trouble;
}

}  // namespace

void tell_chunks(const Bytes& file, const std::optional<std::string>& only, const Limits& limits,
                 const Tell& tell) {
  MessageWriter end(kEnd);
  const std::optional<std::uint64_t> position = find_signature(file);
  if (!position) {
    end.put("");  // it concerns all datasets
    end.put("not an HDF5 file: the superblock signature is missing");
    return tell(end.bytes());
  }
  Teller teller(tell);
  std::optional<ContainerWalk> walk;
  walk.emplace(file, *position, default_revision("hdf5"), kFindings, limits,
               WalkOptions{.only = only,
                           .chunks =
                               [&](const Dataset& dataset, const Chunk& chunk) {
                                 teller.chunk(dataset, chunk, walk->container().base);
                               },
                           .datasets =
                               [&](const Dataset& dataset) {
                                 if (dataset.layout.chunked())
                                   teller.dataset(dataset, walk->objects().path(dataset.object));
                               },
                           .attributes = {}});
  walk->run();
  teller.flush();
  std::vector<ListTrouble> trouble;
  for (std::string& text : trouble_of(*walk, only)) trouble.push_back({.text = std::move(text)});
  for (const DatasetRecord& each : walk->datasets()) {
    const std::string path = walk->objects().path(each.object);
    if (!each.described)
      trouble.push_back({path, "its header is broken, or not examined"});
    else if (!each.listed)
      trouble.push_back({path, "its chunk index is broken"});
  }
  for (const ListTrouble& each : trouble) {
    end.put(each.path);
    end.put(each.text);
  }
  tell(end.bytes());
}

void ChunkListReader::take(std::string_view bytes) {
  MessageReader message(bytes);
  const bool understood = !ended_ && (message.kind() == kDataset  ? dataset(message)
                                      : message.kind() == kChunks ? chunks(message)
                                      : message.kind() == kEnd    ? end(message)
                                                                  : false);
  nonsense_ |= !understood;
}

bool ChunkListReader::dataset(MessageReader& message) {
  const std::uint64_t number = message.number();
  ChunkList list{.path = message.text(), .index = message.text(), .whole = true};
  const std::uint64_t rank = message.number();
  if (rank > kMostDimensions) return false;
  for (std::uint64_t d = 0; d < rank; ++d) list.shape.push_back(message.number());
  for (std::uint64_t d = 0; d < rank; ++d) list.chunk.push_back(message.number());
  const bool fresh = by_number_.try_emplace(number, made_.datasets.size()).second;
  if (!message.good() || message.more() || !fresh) return false;
  made_.datasets.push_back(std::move(list));
  return true;
}

bool ChunkListReader::chunks(MessageReader& message) {
  const auto it = by_number_.find(message.number());
  if (it == by_number_.end()) return false;
  ChunkList& list = made_.datasets[it->second];
  std::vector<std::uint64_t> chunk(list.rank() + 3);
  while (message.more()) {
    for (std::uint64_t& number : chunk) number = message.number();
    if (!message.good()) return false;
    list.numbers.insert(list.numbers.end(), chunk.begin(), chunk.end());
  }
  return message.good();
}

bool ChunkListReader::end(MessageReader& message) {
  ended_ = true;
  while (message.more()) {
    const std::string path = message.text(), text = message.text();
    made_.trouble.push_back(path.empty() ? text : path + ": " + text);
    for (ChunkList& list : made_.datasets)
      if (!path.empty() && list.path == path) list.whole = false;
  }
  return message.good();
}

ChunkLists ChunkListReader::lists() && {
  if (nonsense_ || !ended_) made_.trouble.emplace_back("the answer of the worker is incomplete");
  if (!ended_)
    for (ChunkList& list : made_.datasets) list.whole = false;
  made_.whole = made_.trouble.empty();
  return std::move(made_);
}

}  // namespace hepcheck::hdf5
