// The way through a file: superblock, extension, root group, and depth first whatever hard links
// lead to; each object once. What is found on the way is in the notes, what datasets there are
// here.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "validator/formats/hdf5/attribute.h"
#include "validator/formats/hdf5/chunk.h"
#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/dataset.h"
#include "validator/formats/hdf5/eligibility.h"
#include "validator/formats/hdf5/link.h"
#include "validator/formats/hdf5/notes.h"
#include "validator/formats/hdf5/object_header.h"
#include "validator/formats/hdf5/objects.h"
#include "validator/formats/hdf5/shared_message.h"
#include "validator/formats/hdf5/superblock.h"

namespace hepcheck {
struct TableGroups;
}

namespace hepcheck::hdf5 {

// What of a dataset outlives the way.
struct DatasetRecord {
  std::uint32_t object = 0;
  bool described = false;  // its messages hold, and what follows is theirs
  bool listed = true;      // and so does the index of its chunks, if it has one
  std::uint8_t header_version = 0, layout_version = 0, rank = 0;
  LayoutClass layout_class{};
  IndexType index{};
  std::uint64_t elements = 0, chunk_bytes = 0, chunks = 0, stored_bytes = 0;
  std::string type{};
  ClauseSet against{};  // reasons why it is not eligible, and errors
  bool open = false;    // some of its structure is not examined

  bool eligible() const { return against.none() && !open; }
};

// A group that a format marks as a table of its own (TableGroups).
struct TableRecord {
  std::uint32_t object = 0;
  Place at{};
  std::vector<std::uint32_t> children{};  // objects
  // Datasets of the file, by their place: in it, and in two groups of it.
  std::vector<std::size_t> columns{}, indexes{}, categories{};
  std::optional<std::uint32_t> index_group{}, category_group{};
  std::uint64_t eligible = 0;  // of the columns
};

struct WalkOptions {
  bool decode = false;                // look into the chunks
  std::optional<std::string> only{};  // this object alone, and what is below it
  Chunks::Listener chunks{};          // is told of every chunk
  // Is told of every dataset whose messages hold, before its chunks.
  std::function<void(const Dataset& dataset)> datasets{};
  AttributeListener attributes{};  // is told of every attribute, of notes().object()
  bool being_written = false;      // Container::being_written
  // The object alone whose header is there, as if it were the root; its blocks alone are told of.
  std::optional<std::uint64_t> object{};
};

class Walk {
 public:
  // All must outlive it. There has to be a signature at `position`.
  Walk(const Bytes& file, std::uint64_t position, const Specification& spec,
       std::uint64_t max_findings, const Limits& limits, WalkOptions options);
  Walk(const Walk&) = delete;
  Walk& operator=(const Walk&) = delete;

  void run();

  Notes& notes() { return notes_; }
  const Notes& notes() const { return notes_; }
  Container& container() { return file_; }
  const Container& container() const { return file_; }
  const Superblock& superblock() const { return superblock_; }
  const Objects& objects() const { return objects_; }
  const std::vector<DatasetRecord>& datasets() const { return datasets_; }
  const std::vector<TableRecord>& tables() const { return tables_; }
  // Why nothing behind the superblock was examined; empty if something was.
  const std::string& not_examined() const { return not_examined_; }
  // The object that is alone to be examined was met.
  bool found() const { return !options_.only || found_; }
  // Every group on the way has been read, and holds.
  bool all_read() const { return all_read_; }
  // What is found in an object hangs on the bytes of others, too, or on how much was read before.
  bool entangled() const { return shared_.any() || file_.exhausted(); }

 private:
  bool read_superblock();
  bool read_extension();
  void read_root();
  void visit(std::uint32_t number);
  void describe(std::uint32_t number, const ObjectHeader& header);
  bool group(std::uint32_t number, const ObjectHeader& header, const TableGroups* table);
  std::optional<Objects::Found> follow(const Link& link, std::uint32_t parent);
  void judge_remembered(std::uint32_t number);
  void judge_symbols(std::uint32_t number, const Link::Scratch& scratch);
  void dataset(const ObjectHeader& header);
  bool values(const Dataset& dataset, DatasetRecord& record);
  void judge_whole();
  void judge_paths();
  void judge_tables();
  bool on_the_way(std::uint32_t parent, const std::string& name) const;
  bool too_many(const Link& link, std::uint32_t parent);

  Notes notes_;
  Container file_;
  Headers headers_;
  SharedMessages shared_;
  WalkOptions options_;
  std::uint64_t position_;
  Superblock superblock_{};
  FileEligibility eligibility_{};
  Objects objects_{};
  std::vector<std::string> wanted_{};   // the names on the way to the wanted object
  std::vector<std::uint32_t> ahead_{};  // objects that are to be visited, the next one last
  std::uint64_t links_ = 0;
  bool all_groups_ = true;  // every group has been read
  bool all_read_ = false;
  bool found_ = false;
  std::vector<DatasetRecord> datasets_{};
  std::vector<TableRecord> tables_{};
  // What is in the groups of a table that have those names.
  std::map<std::uint32_t, std::vector<std::uint32_t>> special_{};
  // What symbol tables remember of groups that are yet to be visited; the superblock of the root.
  std::multimap<std::uint32_t, Link::Scratch> remembered_{};
  std::map<std::uint32_t, std::size_t> dataset_of_{};  // by object
  std::string not_examined_{};
};

}  // namespace hepcheck::hdf5
