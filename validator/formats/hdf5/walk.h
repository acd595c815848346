// The walk through a file: superblock, extension, root group, and depth first everything reachable
// by hard links; each object once. The results are in the notes; the datasets are listed here.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "validator/formats/hdf5/attribute.h"
#include "validator/formats/hdf5/cache_image.h"
#include "validator/formats/hdf5/chunk.h"
#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/dataset.h"
#include "validator/formats/hdf5/driver.h"
#include "validator/formats/hdf5/eligibility.h"
#include "validator/formats/hdf5/free_space.h"
#include "validator/formats/hdf5/global_heap.h"
#include "validator/formats/hdf5/group_rules.h"
#include "validator/formats/hdf5/link.h"
#include "validator/formats/hdf5/notes.h"
#include "validator/formats/hdf5/object_header.h"
#include "validator/formats/hdf5/objects.h"
#include "validator/formats/hdf5/profile.h"
#include "validator/formats/hdf5/shared_message.h"
#include "validator/formats/hdf5/space_info.h"
#include "validator/formats/hdf5/superblock.h"
#include "validator/formats/hdf5/values.h"
#include "validator/formats/hdf5/virtual_datasets.h"

namespace hepcheck {
struct TableGroups;
}

namespace hepcheck::hdf5 {

// The properties of a dataset that are kept after the walk.
struct DatasetRecord {
  std::uint32_t object = 0;
  bool described = false;  // its messages are valid, and so are the following members
  bool listed = true;      // the index of its chunks is valid as well, if it has one
  std::uint8_t header_version = 0, layout_version = 0, rank = 0;
  LayoutClass layout_class{};
  IndexType index{};
  std::uint64_t elements = 0, chunk_bytes = 0, chunks = 0, stored_bytes = 0;
  std::string type{};
  ClauseSet against{};  // reasons why it is not eligible, and errors
  bool open = false;    // some of its structure was not examined

  bool eligible() const { return against.none() && !open; }
};

// A group that a format marks as a table of its own (TableGroups).
struct TableRecord {
  std::uint32_t object = 0;
  Place at{};
  std::vector<std::uint32_t> children{};  // objects
  // Datasets of the file by number, in the file and in two groups of it.
  std::vector<std::size_t> columns{}, indexes{}, categories{};
  std::optional<std::uint32_t> index_group{}, category_group{};
  std::uint64_t eligible = 0;  // of the columns
};

struct WalkOptions {
  bool decode = false;  // examine the chunks
  // Of values, only those that have addresses, but all of them.
  bool only_addresses = false;
  std::optional<std::string> only{};  // only this object, and everything below it
  Chunks::Listener chunks{};          // receives every chunk
  // Receives every dataset with valid messages, before its chunks.
  std::function<void(const Dataset& dataset)> datasets{};
  std::function<void(std::uint64_t address, const EaTotals& totals)> totals{};  // Container::totals
  AttributeListener attributes{};  // receives every attribute of notes().object()
  bool being_written = false;      // Container::being_written
  // Only the object with this header, treated as the root; only its blocks are reported.
  std::optional<std::uint64_t> object{};
};

class ContainerWalk {
 public:
  // All must outlive it. There must be a signature at `position`.
  ContainerWalk(const Bytes& file, std::uint64_t position, const Specification& spec,
                std::uint64_t max_findings, const Limits& limits, WalkOptions options);
  ContainerWalk(const ContainerWalk&) = delete;
  ContainerWalk& operator=(const ContainerWalk&) = delete;

  void run();
  // Instead of run(): reads the superblock and its extension only. False if one of them is refused,
  // or nothing after them can be examined (not_examined()).
  bool open();

  Notes& notes() { return notes_; }
  const Notes& notes() const { return notes_; }
  Container& container() { return file_; }
  const Container& container() const { return file_; }
  Headers& headers() { return headers_; }
  SharedMessages& shared() { return shared_; }
  GlobalHeaps& heaps() { return heaps_; }
  const std::optional<SpaceInfo>& space() const { return space_; }
  const std::optional<CacheImage>& cache_image() const { return image_; }
  const Superblock& superblock() const { return superblock_; }
  const Objects& objects() const { return objects_; }
  const std::vector<DatasetRecord>& datasets() const { return datasets_; }
  const std::vector<TableRecord>& tables() const { return tables_; }
  // If the whole file was read, values included (WalkOptions::decode), and has no error.
  const std::optional<Unreached>& unreached() const { return unreached_; }
  // The reason why nothing after the superblock was examined; empty if something was.
  const std::string& not_examined() const { return not_examined_; }
  // The only object to examine was found.
  bool found() const { return !options_.only || found_; }
  // Every group on the way has been read, and is valid.
  bool all_read() const { return all_read_; }
  // The results for an object depend on the bytes of others, or on the amount read before.
  bool entangled() const { return shared_.any() || file_.exhausted(); }

 private:
  void examine();
  bool read_superblock();
  bool read_extension();
  bool one_of_several();
  void read_whole_extension();
  bool extension_messages(const ObjectHeader& header);
  bool tree_k(const Region& message);
  void read_root();
  void visit(std::uint32_t number);
  void describe(std::uint32_t number, const ObjectHeader& header);
  void group_filters(const ObjectHeader& header);
  bool group(std::uint32_t number, const ObjectHeader& header, const TableGroups* table);
  std::optional<Objects::Found> follow(const Link& link, std::uint32_t parent);
  void judge_remembered(std::uint32_t number);
  void judge_symbols(std::uint32_t number, const Link::Scratch& scratch);
  void dataset(const ObjectHeader& header);
  bool values(const Dataset& dataset, DatasetRecord& record);
  bool stored_values(const Dataset& dataset, DatasetRecord& record, Values* examined);
  void judge_whole();
  void judge_content();
  std::vector<std::optional<FreeSpace>> read_managers();
  void judge_space(const std::vector<std::optional<FreeSpace>>& managers);
  void judge_paths();
  void judge_tables();
  bool on_the_way(std::uint32_t parent, const std::string& name) const;
  bool too_many(const Link& link, std::uint32_t parent);

  Notes notes_;
  Container file_;
  Headers headers_;
  SharedMessages shared_;
  GlobalHeaps heaps_;
  Values values_;
  LinkGraph links_of_all_{};
  VirtualDatasets virtual_{};
  std::uint64_t free_listed_ = 0;  // bytes, by the managers of free space
  std::optional<Unreached> unreached_{};
  WalkOptions options_;
  std::uint64_t position_;
  Superblock superblock_{};
  FileEligibility eligibility_{};
  Driver driver_{};
  std::optional<SpaceInfo> space_{};
  std::optional<CacheImage> image_{};
  Objects objects_{};
  std::vector<std::string> wanted_{};   // the names on the path to the requested object
  std::vector<std::uint32_t> ahead_{};  // objects to visit, the next one last
  std::uint64_t links_ = 0;
  bool all_groups_ = true;  // every group has been read
  bool all_read_ = false;
  bool superblock_read_ = false;
  bool found_ = false;
  std::vector<DatasetRecord> datasets_{};
  std::vector<TableRecord> tables_{};
  // The members with these names in the groups of a table.
  std::map<std::uint32_t, std::vector<std::uint32_t>> special_{};
  // The cached data of symbol tables for groups that are not visited yet; for the root, that of the
  // superblock.
  std::multimap<std::uint32_t, Link::Scratch> remembered_{};
  std::map<std::uint32_t, std::size_t> dataset_of_{};  // by object
  std::string not_examined_{};
};

}  // namespace hepcheck::hdf5
