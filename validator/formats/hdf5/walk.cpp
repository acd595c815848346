#include "validator/formats/hdf5/walk.h"

#include <algorithm>
#include <format>
#include <ranges>
#include <set>
#include <utility>

#include "validator/counted.h"
#include "validator/format.h"
#include "validator/formats/hdf5/chunk_index.h"
#include "validator/formats/hdf5/decode.h"
#include "validator/formats/hdf5/eligibility.h"
#include "validator/formats/hdf5/file_risks.h"
#include "validator/formats/hdf5/filters.h"
#include "validator/formats/hdf5/object_messages.h"
#include "validator/formats/hdf5/object_parts.h"
#include "validator/formats/hdf5/overlaps.h"
#include "validator/formats/hdf5/rule.h"
#include "validator/worker_position.h"

namespace hepcheck::hdf5 {

namespace {

struct Root {
  std::uint64_t address;
  std::optional<ObjectKind> kind;  // none: not known yet
};

constexpr Rule kRootRule("swmr-superblock-root-address", [](const Root& it, Look& look) {
  look.looked();
  if (it.address == kUndefined)
    look.fail(0, "an undefined address of the root group", "the address of its header");
  else if (it.kind && *it.kind != ObjectKind::kGroup)
    look.fail(0, std::format("the root address {} refers to something else", it.address),
              "the header of a group");
});

struct TreeK {
  bool whole;
  std::uint8_t version;
  std::uint16_t chunk, internal, leaf;
};

constexpr Rule kTreeKRule("swmr-superblock-k-message", [](const TreeK& it, Look& look) {
  look.looked();
  if (!it.whole)
    look.fail(0, "a message that ends before its last number", "7 bytes");
  else if (it.version != 0)
    look.fail(0, std::format("version {}", it.version), "version 0");
  else if (it.chunk == 0 || it.internal == 0 || it.leaf == 0)
    look.fail(1, std::format("K {}, {}, {}", it.chunk, it.internal, it.leaf), "numbers above 0");
});

constexpr bool of_whole_file(MessageType type) {
  return type == MessageType::kSharedTable || type == MessageType::kTreeK ||
         type == MessageType::kDriver || type == MessageType::kSpaceInfo ||
         type == MessageType::kCacheImage;
}

// Where the superblock extension leads, and what else leads there.
struct ExtensionPlace {
  std::uint64_t address, root;
  std::string linked{};  // the path of an object
};

constexpr Rule kExtensionRule("h5-superblock-extension-header", [](const ExtensionPlace& it,
                                                                   Look& look) {
  look.looked();
  if (it.address == it.root)
    look.fail(0, std::format("address {}, that of the root group", it.address),
              "a header of its own");
  else if (!it.linked.empty())
    look.fail(0, std::format("address {}, that of {}", it.address, it.linked),
              "a header that no link names");
});

// A header other than that of the extension.
constexpr Rule kMessagePlaceRule("h5-extension-message-place", [](const ObjectHeader& it,
                                                                  Look& look) {
  look.looked();
  for (const Message& message : it.messages)
    if (of_whole_file(message.type))
      return look.fail_at(
          message.data.place,
          std::format("a message of type {:#x}", static_cast<unsigned>(message.type)),
          "such messages only in the superblock extension");
});

// A message of the extension that is there more than once: the second; null if there is none.
struct Repeated {
  const Message* message;
};

constexpr Rule kExtensionOnceRule("h5-extension-message-once", [](const Repeated& it, Look& look) {
  look.looked();
  if (it.message)
    look.fail_at(it.message->data.place,
                 std::format("two messages of type {:#x}", static_cast<unsigned>(it.message->type)),
                 "one");
});

std::vector<std::string> names_on(std::string_view path) {
  std::vector<std::string> names;
  for (const auto part : std::views::split(path, '/'))
    if (!part.empty()) names.emplace_back(part.begin(), part.end());
  return names;
}

// The value of the older of two messages, which nobody reads, may have addresses, too.
void take_old_fill(const ObjectHeader& header, Dataset dataset, SharedMessages& shared,
                   Container& file, Values& values) {
  const Message* old = header.find(MessageType::kOldFill);
  if (!old || !header.has(MessageType::kFill)) return;
  shared.with(old->data, MessageType::kOldFill, old->shared(), [&](const Region& data) {
    dataset.fill = read_fill(data, true, dataset.type.size, file);
    values.fill(dataset);
    return true;
  });
}

}  // namespace

void walk_rules(RuleList& list) {
  list.structure<kRootRule, kTreeKRule, kExtensionRule, kMessagePlaceRule, kExtensionOnceRule>();
}

ContainerWalk::ContainerWalk(const Bytes& file, std::uint64_t position, const Specification& spec,
                             std::uint64_t max_findings, const Limits& limits, WalkOptions options)
    : notes_(spec, max_findings, [this](std::uint32_t object) { return objects_.path(object); }),
      file_(file, limits, notes_), headers_(file_), shared_(file_, headers_), heaps_(file_),
      values_(file_, heaps_, headers_, file_.profile), options_(std::move(options)),
      position_(position) {
  file_.whole_format = spec.find("h5-superblock-flags-known") != nullptr;
  file_.totals = options_.totals;
  if (options_.only_addresses) values_.examine_all();
  if (options_.only) wanted_ = names_on(*options_.only);
}

void ContainerWalk::run() {
  examine();
  if (!file_.whole_format) return;
  notes_.enter(0);
  if (superblock_read_ && superblock_.end_of_file >= superblock_.base)
    judge_file_risks({.begin = position_,
                      .end = sum(position_, superblock_.end()),
                      .open_for_writing = superblock_.open_for_writing(),
                      .driver = driver_.name,
                      .image_bytes = image_ ? image_->block.region().size() : 0},
                     file_);
  judge_profile(file_);
}

bool ContainerWalk::open() {
  return read_superblock() && read_extension() && not_examined_.empty();
}

void ContainerWalk::examine() {
  if (!read_superblock()) return;
  superblock_read_ = superblock_.fits();
  const bool extended = read_extension();
  judge_eligibility(eligibility_, file_.place("superblock", 0), notes_);
  if (!extended || !not_examined_.empty()) return;
  read_root();
  while (!ahead_.empty() && !file_.exhausted()) {
    const std::uint32_t next = ahead_.back();
    ahead_.pop_back();
    visit(next);
  }
  all_read_ = all_groups_ && !file_.exhausted();
  all_groups_ = all_read_ && !options_.only;
  judge_whole();
  if (file_.whole_format) judge_content();
  judge_paths();
  judge_tables();
}

// --- The superblock -----------------------------------------------------------------------------

bool ContainerWalk::read_superblock() {
  constexpr std::uint64_t kLongest = 128;
  const std::uint64_t size = file_.file().size() - position_;
  file_.base = position_;
  file_.being_written = options_.being_written;
  file_.end = size;
  const auto block = file_.beginning("superblock", 0, kLongest);
  if (!block) {
    not_examined_ = "the superblock cannot be read";
    return false;
  }
  superblock_ = parse_superblock(block->region(), file_.file().size());
  superblock_.being_written = options_.being_written;
  superblock_.one_of_several = file_.whole_format && one_of_several();
  if (!holds(superblock_, block->region().place, notes_)) return false;
  eligibility_.several_files =
      file_.whole_format ? superblock_.one_of_several : superblock_.driver != kUndefined;
  if (!superblock_.fits()) {
    not_examined_ = std::format("offsets of {} and lengths of {} bytes do not fit into 64 bits",
                                superblock_.offset_size, superblock_.length_size);
    return true;
  }
  file_.offset_size = superblock_.offset_size;
  file_.length_size = superblock_.length_size;
  file_.superblock_version = superblock_.version;
  file_.open_for_writing = superblock_.open_for_writing();
  if (!file_.open_for_writing && !file_.being_written)
    file_.end = std::min(superblock_.end(), size);
  file_.group_leaf_k = superblock_.group_leaf_k;
  file_.group_internal_k = superblock_.group_internal_k;
  file_.chunk_k = superblock_.chunk_k;
  file_.accept("superblock", 0, superblock_.length);
  if (file_.whole_format && superblock_.driver != kUndefined) {
    driver_ = read_driver_block(superblock_.driver, file_);
    file_.spread_unknown = true;
  }
  if (superblock_.version < 2 && superblock_.root != kUndefined) {
    const std::optional<Link> entry = read_root_entry(superblock_.root_entry, file_);
    if (!entry) return false;
    if (entry->scratch) remembered_.emplace(0, *entry->scratch);
  }
  superblock_.root_entry = {};  // the viewed memory ends here
  return true;
}

// Whether a driver spreads the addresses over several files. A file that ends before its
// end-of-file address may be one of them, so that this is asked before anything is judged.
bool ContainerWalk::one_of_several() {
  if (!superblock_.whole || !superblock_.fits()) return false;
  const Notes::Silence silence(notes_);
  file_.offset_size = superblock_.offset_size;
  file_.length_size = superblock_.length_size;
  if (superblock_.driver != kUndefined)
    return read_driver_block(superblock_.driver, file_).several_files();
  if (superblock_.extension == kUndefined || superblock_.end() <= file_.end) return false;
  const std::optional<ObjectHeader> header = Headers(file_).read(superblock_.extension);
  const Message* message = header ? header->find(MessageType::kDriver) : nullptr;
  return message && read_driver_message(message->data, file_).several_files();
}

// Without the extension, the messages in it are unknown; the rest of the file is examined.
void ContainerWalk::read_whole_extension() {
  const Place place = file_.place("superblock", 0);
  if (!judge<kExtensionRule>(ExtensionPlace{superblock_.extension, superblock_.root}, place,
                             notes_)) {
    file_.k_unknown = file_.spread_unknown = true;
    shared_.table().unknown();
    return;
  }
  file_.extension = superblock_.extension;
  const std::optional<ObjectHeader> header = headers_.read(superblock_.extension);
  file_.k_unknown = !header || !extension_messages(*header);
  // A message that is refused may be what seems to be missing.
  const bool refused = notes_.errors().any();
  if (refused && !(header && header->has(MessageType::kSharedTable))) shared_.table().unknown();
  file_.spread_unknown |= refused && !(header && header->has(MessageType::kDriver));
  if (!header) return;
  name_messages(*header, file_);
  if (notes_.errors().none()) judge_slack(*header, file_);
}

// False if the K values are unknown.
bool ContainerWalk::extension_messages(const ObjectHeader& header) {
  Repeated repeated{};
  for (const MessageType type :
       {MessageType::kDriver, MessageType::kSpaceInfo, MessageType::kCacheImage})
    if (const Message* second = header.second(type)) repeated.message = second;
  judge_messages(header, ObjectKind::kOther, file_);
  judge<kExtensionOnceRule>(repeated, header.blocks.front().region().place, notes_);
  if (const Message* message = header.find(MessageType::kDriver)) {
    driver_ = read_driver_message(message->data, file_);
    file_.spread_unknown = true;
  }
  eligibility_.several_files |= driver_.several_files();
  if (eligibility_.several_files) return true;
  if (const Message* message = header.find(MessageType::kCacheImage)) {
    image_ = read_cache_image(message->data, file_);
    eligibility_.cache_image = image_ && image_->damaged;
    if (eligibility_.cache_image) return true;
  }
  if (const Message* message = header.find(MessageType::kSharedTable))
    shared_.table().read(message->data);
  const Message* space = header.find(MessageType::kSpaceInfo);
  if (space && (space->flags & Message::kWasUnknown) == 0)
    space_ = read_space_info(space->data, file_);
  const Message* k = header.find(MessageType::kTreeK);
  return !k || tree_k(k->data);
}

// False if they are refused.
bool ContainerWalk::tree_k(const Region& message) {
  Cursor read(message);
  TreeK k{.whole = false,
          .version = read.u8("version"),
          .chunk = read.u16("chunk"),
          .internal = read.u16("internal"),
          .leaf = read.u16("leaf")};
  k.whole = read.good();
  if (!judge<kTreeKRule>(k, message.place, notes_)) return false;
  file_.chunk_k = k.chunk;
  file_.group_internal_k = k.internal;
  file_.group_leaf_k = k.leaf;
  return true;
}

// False if it is refused.
bool ContainerWalk::read_extension() {
  if (file_.whole_format && superblock_.extension != kUndefined && not_examined_.empty()) {
    read_whole_extension();
  } else if (superblock_.extension != kUndefined && not_examined_.empty()) {
    const std::optional<ObjectHeader> header = headers_.read(superblock_.extension);
    if (!header) return false;
    eligibility_.cache_image = header->has(MessageType::kCacheImage);
    eligibility_.several_files |= header->has(MessageType::kDriver);
    if (const Message* message = header->find(MessageType::kTreeK))
      if (!tree_k(message->data)) return false;
  }
  if (eligibility_.cache_image)
    not_examined_ = file_.whole_format ? "the metadata cache image is damaged"
                                       : "part of the metadata is in a metadata cache image";
  if (eligibility_.several_files)
    not_examined_ = "a driver distributes the addresses over several files";
  if (!not_examined_.empty()) notes_.not_examined("swmr-superblock-root-address", not_examined_);
  return true;
}

void ContainerWalk::read_root() {
  if (!judge<kRootRule>(Root{superblock_.root, std::nullopt}, file_.place("superblock", 0), notes_))
    return;
  objects_.set_root(options_.object.value_or(superblock_.root));
  if (options_.object) file_.extents = {};
  objects_[0].links = 1;
  ahead_.push_back(0);
}

// --- Objects ------------------------------------------------------------------------------------

void ContainerWalk::visit(std::uint32_t number) {
  now_at(Stage::kReading, objects_.path(number));
  notes_.enter(number);
  objects_[number].visited = true;
  found_ |= objects_[number].depth == wanted_.size();
  if (number != 0 && objects_[number].address == file_.extension) {
    const ExtensionPlace linked{file_.extension, superblock_.root, objects_.path(number)};
    judge<kExtensionRule>(linked, file_.place("superblock", 0), notes_);
    return;
  }
  const std::optional<ObjectHeader> header = headers_.read(objects_[number].address);
  if (!header) {
    all_groups_ = false;
    return;
  }
  describe(number, *header);
  objects_[number].kind = kind_of(*header);
  if (number == 0 && !options_.object &&
      !judge<kRootRule>(Root{superblock_.root, objects_[0].kind}, file_.place("superblock", 0),
                        notes_))
    return;
  // What an object lacks may be the message that seems to be one of the extension.
  if (judge_kind(*header, file_) && objects_[number].kind != ObjectKind::kOther)
    judge<kMessagePlaceRule>(*header, header->blocks.front().region().place, notes_);
  if (shared_.table().known())
    for (const Message& message : header->messages) shared_.table().own_copy(message);
  if (file_.whole_format) judge_messages(*header, objects_[number].kind, file_);
  const TableGroups* table = nullptr;
  const bool all = read_attributes(*header, file_, shared_, [&](const Attribute& attribute) {
    ++file_.profile.attributes;
    if (options_.attributes) options_.attributes(attribute);
    if (file_.whole_format && options_.decode)
      values_.attribute(attribute, objects_[number].address);
    for (const Format* format : all_formats()) {
      const TableGroups* groups = format->table_groups;
      if (!groups || attribute.name != groups->attribute) continue;
      // If several attributes have that name, the last one counts.
      if (text_of(attribute, file_) == groups->value)
        table = groups;
      else if (table == groups)
        table = nullptr;
    }
  });
  if (all && file_.whole_format && options_.decode)
    values_.all_attributes_of(objects_[number].address);
  switch (objects_[number].kind) {
    case ObjectKind::kGroup:
      objects_[number].whole = group(number, *header, table);
      if (file_.whole_format && objects_[number].whole) group_filters(*header);
      all_groups_ &= objects_[number].whole;
      break;
    case ObjectKind::kDataset: dataset(*header); break;
    case ObjectKind::kCommittedType: {
      const Message& type = *header->find(MessageType::kDatatype);
      if (type.shared())
        shared_.datatype(type.data, true);
      else
        shared_.committed(objects_[number].address, type.data);
      break;
    }
    default:
      all_groups_ = false;  // it may be one
      notes_.not_examined("swmr-dataset-has-layout",
                          "an object that is not a group, a dataset or a datatype");
      break;
  }
  // What an object of no known kind lacks has its own clause.
  const ObjectKind kind = objects_[number].kind;
  const bool unknown = file_.whole_format && number != 0 && kind == ObjectKind::kOther;
  if (!unknown && (kind != ObjectKind::kGroup || objects_[number].whole)) judge_remembered(number);
  if (file_.whole_format && notes_.errors().none() && objects_[number].kind != ObjectKind::kOther)
    judge_slack(*header, file_);
  name_messages(*header, file_);
}

void ContainerWalk::describe(std::uint32_t number, const ObjectHeader& header) {
  Object& object = objects_[number];
  object.header_version = header.version;
  object.stated_links = header.references;
  const Message* table = header.find(MessageType::kSymbolTable);
  object.old = header.version == 1 || table;
  if (table) object.symbols = parse_symbol_table(table->data, file_);
  object.sound = true;
}

void ContainerWalk::judge_remembered(std::uint32_t number) {
  const auto [begin, end] = remembered_.equal_range(number);
  for (auto it = begin; it != end; ++it) judge_symbols(number, it->second);
  remembered_.erase(begin, end);
}

void ContainerWalk::judge_symbols(std::uint32_t number, const Link::Scratch& scratch) {
  const Object& object = objects_[number];
  const bool has = object.symbols.tree != kUndefined || object.symbols.heap != kUndefined;
  judge_scratch(scratch, has ? &object.symbols : nullptr, file_);
}

bool ContainerWalk::on_the_way(std::uint32_t parent, const std::string& name) const {
  const std::uint32_t depth = objects_[parent].depth;
  return depth >= wanted_.size() || wanted_[depth] == name;
}

bool ContainerWalk::too_many(const Link& link, std::uint32_t parent) {
  const Limits& limits = file_.limits();
  const auto left_out = [&](std::string why) {
    if (all_groups_) notes_.not_examined("swmr-block-inside-eof", std::move(why));
    all_groups_ = false;
    return true;
  };
  if (++links_ > limits.links)
    return left_out(std::format("\"{}\" and later objects: the limit of {} was reached", link.name,
                                counted(limits.links, "link")));
  if (objects_.size() >= limits.objects)
    return left_out(std::format("\"{}\" and what follows: the limit of {} was reached", link.name,
                                counted(limits.objects, "object")));
  if (objects_[parent].depth >= limits.group_depth)
    return left_out(std::format("\"{}\": the limit of {} nested groups was reached", link.name,
                                counted(limits.group_depth, "group")));
  return false;
}

std::optional<Objects::Found> ContainerWalk::follow(const Link& link, std::uint32_t parent) {
  if (!link.hard || !on_the_way(parent, link.name) || too_many(link, parent)) return std::nullopt;
  const Objects::Found child = objects_.at(link.target, parent, link.name);
  Object& object = objects_[child.number];
  ++object.links;
  if (link.scratch && !object.visited)
    remembered_.emplace(child.number, *link.scratch);
  else if (link.scratch && !(file_.whole_format && object.kind == ObjectKind::kOther) &&
           (object.kind == ObjectKind::kGroup ? object.whole : object.sound))
    judge_symbols(child.number, *link.scratch);
  return child;
}

// The filters that a group has for the heap of its links, which states them itself.
void ContainerWalk::group_filters(const ObjectHeader& header) {
  const Message* message = header.find(MessageType::kFilters);
  if (!message) return;
  shared_.with(message->data, MessageType::kFilters, message->shared(),
               [&](const Region& data) { return read_filters(data, file_).has_value(); });
}

// False if part of it was refused, or not read.
bool ContainerWalk::group(std::uint32_t number, const ObjectHeader& header,
                          const TableGroups* table) {
  std::vector<Link> links;
  const bool sound = read_links(header, objects_.path(number), file_, links);
  if (table) tables_.push_back({number, header.blocks.front().region().place});
  const auto special = special_.find(number);
  const std::size_t before = ahead_.size();
  for (const Link& link : links) {
    const std::optional<Objects::Found> child = follow(link, number);
    if (file_.whole_format) {
      const auto target = child ? std::optional(child->number) : std::nullopt;
      links_of_all_.add(number, link, target);
      if (child && !child->fresh) links_of_all_.again(number, child->number, link, objects_);
    }
    if (!child) continue;
    if (child->fresh) ahead_.push_back(child->number);
    if (special != special_.end()) special->second.push_back(child->number);
    if (!table) continue;
    TableRecord& record = tables_.back();
    record.children.push_back(child->number);
    const bool indexes = link.name == table->indexes, categories = link.name == table->categories;
    if (indexes) record.index_group = child->number;
    if (categories) record.category_group = child->number;
    if (indexes || categories) special_.try_emplace(child->number);
  }
  // Depth first, in the order of the group.
  std::ranges::reverse(std::span(ahead_).subspan(before));
  return sound;
}

void ContainerWalk::dataset(const ObjectHeader& header) {
  DatasetRecord record{.object = notes_.object(), .header_version = header.version};
  const std::size_t unexamined = notes_.not_examined().size();
  const Dataset dataset = read_dataset(header, objects_.path(notes_.object()), file_, shared_);
  bool heap_reference = false;
  if (dataset.known == Dataset::Known::kLayout) {
    record.described = true;
    record.layout_version = dataset.layout.version;
    record.rank = dataset.space.rank;
    record.layout_class = dataset.layout.layout_class();
    record.index = dataset.index();
    record.elements = dataset.space.elements();
    record.type = type_text(*dataset.type.nodes);
    if (options_.datasets) options_.datasets(dataset);
    heap_reference = values(dataset, record);
    if (file_.whole_format && options_.decode) {
      values_.fill(dataset);
      if (address_recording) take_old_fill(header, dataset, shared_, file_, values_);
      if (record.layout_class == LayoutClass::kVirtual)
        virtual_.read(dataset, objects_.path(record.object), heaps_, file_);
    }
  }
  judge_eligibility(dataset, heap_reference, notes_);
  for (const Notes::NotExamined& each : std::span(notes_.not_examined()).subspan(unexamined))
    record.open |= each.what == Notes::What::kStructure;
  record.against = (notes_.failed() & reasons_against()) | notes_.errors();
  dataset_of_.emplace(record.object, datasets_.size());
  datasets_.push_back(std::move(record));
}

// Its chunks, or the location of its values; whether some of those refer to a heap.
bool ContainerWalk::values(const Dataset& dataset, DatasetRecord& record) {
  const bool examined = file_.whole_format && options_.decode && Values::wanted(dataset.type) &&
                        (!options_.only_addresses || Values::has_addresses(dataset.type));
  if (examined) values_.begin(dataset.type, Values::Of::kData);
  const bool references = stored_values(dataset, record, examined ? &values_ : nullptr);
  if (examined) values_.end(dataset.layout_at);
  return references;
}

bool ContainerWalk::stored_values(const Dataset& dataset, DatasetRecord& record, Values* examined) {
  const DataLayout& layout = dataset.layout;
  if (layout.chunked()) {
    std::optional<Decoder> decoder;
    if (options_.decode && (examined || !options_.only_addresses))
      decoder.emplace(file_, dataset, examined);
    Chunks chunks(file_, dataset, decoder && decoder->wanted() ? &*decoder : nullptr,
                  options_.chunks);
    record.listed = walk_chunk_index(dataset, file_, chunks);
    record.chunk_bytes = chunks.chunk_bytes();
    record.chunks = chunks.count();
    record.stored_bytes = chunks.stored_bytes();
    return decoder && decoder->heap_reference();
  }
  if (examined) examined->stored(dataset);
  if (layout.layout_class() == LayoutClass::kContiguous) {
    record.stored_bytes =
        layout.version < 3 ? product(record.elements, dataset.type.size) : layout.size;
    if (layout.address != kUndefined &&
        !file_.may_be_elsewhere(layout.address, record.stored_bytes) &&
        file_.inside(layout.address, record.stored_bytes))
      file_.extents.add_raw(layout.address, record.stored_bytes, dataset.object);
  } else {
    record.stored_bytes = layout.size;
  }
  return false;
}

// --- When all has been read ---------------------------------------------------------------------

void ContainerWalk::judge_whole() {
  if (file_.whole_format)
    for (std::uint32_t i = 1; i < objects_.size(); ++i) {
      const Object& object = objects_[i];
      // A message that should be shared and is not there is one defect with the kind.
      if (!object.sound || shared_.missed_in(object.address)) continue;
      notes_.enter(i);
      judge_object_kind(object, file_);
    }
  if (all_groups_)
    for (std::uint32_t i = 0; i < objects_.size(); ++i) {
      const Object& object = objects_[i];
      const bool counts = object.kind == ObjectKind::kGroup || object.kind == ObjectKind::kDataset;
      if (!object.sound || !counts) continue;
      notes_.enter(i);
      judge_reference_count(object, file_);
      if (const auto it = dataset_of_.find(i); it != dataset_of_.end())
        datasets_[it->second].against |= notes_.errors();
    }
  notes_.enter(0);
  shared_.table().judge_missed();
  if (all_groups_) shared_.table().judge_counts();
  const auto managers = read_managers();
  judge_overlaps(file_, [&](std::uint32_t object, const ClauseId& clause) {
    if (const auto it = dataset_of_.find(object); it != dataset_of_.end())
      datasets_[it->second].against.set(clause.place());
  });
  judge_space(managers);
  if (datasets_.empty()) return;
  notes_.enter(0);
  judge_superblock(superblock_.version, file_.place("superblock", 0), notes_);
  if (superblock_.version >= kFirstSwmrSuperblock) return;
  const ClauseId superblock = "swmr-eligible-superblock";
  for (DatasetRecord& each : datasets_) each.against.set(superblock.place());
}

// The managers of the free space of the file.
std::vector<std::optional<FreeSpace>> ContainerWalk::read_managers() {
  std::vector<std::optional<FreeSpace>> managers;
  if (!space_) return managers;
  notes_.enter(0);
  std::set<std::uint64_t> seen;
  for (const std::uint64_t address : space_->managers) {
    managers.emplace_back();
    if (address == kUndefined || !seen.insert(address).second) continue;
    managers.back() = read_free_space(address, {}, file_);
  }
  return managers;
}

// How the space of the file is managed.
void ContainerWalk::judge_space(const std::vector<std::optional<FreeSpace>>& managers) {
  if (!space_) return;
  for (const std::optional<FreeSpace>& manager : managers)
    if (manager) free_listed_ = sum(free_listed_, manager->total);
  notes_.enter(0);
  const bool borders = judge_pages(*space_, superblock_.end(), image_ ? &*image_ : nullptr, file_);
  std::optional<std::uint64_t> page_size;
  if (borders && space_->pages_known()) page_size = space_->paged() ? space_->page_size : 0;
  judge_file_space(managers, page_size, superblock_.length, file_);
}

// What needs all objects of the file: references, soft links, and the risk profile.
void ContainerWalk::judge_content() {
  values_.judge_rest();
  links_of_all_.judge_all(objects_, all_groups_, file_);
  const auto rank_of = [&](std::uint32_t object) -> std::optional<unsigned> {
    const auto it = dataset_of_.find(object);
    if (it == dataset_of_.end() || !datasets_[it->second].described) return std::nullopt;
    return datasets_[it->second].rank;
  };
  virtual_.judge_sources(links_of_all_, objects_, all_groups_, rank_of, file_);
  notes_.enter(0);
  file_.profile.judge_all(file_);
  // What is refused or not read has no known extent.
  if (!options_.decode)
    notes_.blocked("h5-risk-hidden-bytes", "the heaps of values are found by reading the values");
  else if (all_groups_ && notes_.broken_by_errors() == 0 && notes_.not_examined().empty())
    unreached_ = unreached_bytes(file_);
  if (unreached_) judge_hidden_bytes(*unreached_, free_listed_, heaps_.unused_bytes(), file_);
}

// The groups on the paths to datasets, each once.
void ContainerWalk::judge_paths() {
  std::vector<bool> above(objects_.size());
  for (const DatasetRecord& dataset : datasets_) {
    std::uint32_t number = dataset.object;
    while (number != 0 && !above[objects_[number].parent]) {
      number = objects_[number].parent;
      above[number] = true;
    }
  }
  for (std::uint32_t i = 0; i < objects_.size(); ++i) {
    if (!above[i] || !objects_[i].sound) continue;
    notes_.enter(i);
    judge_path(objects_[i].old, header_place(objects_[i], file_), notes_);
  }
}

void ContainerWalk::judge_tables() {
  for (TableRecord& table : tables_) {
    const auto datasets_among = [&](const std::vector<std::uint32_t>& objects) {
      std::vector<std::size_t> found;
      for (const std::uint32_t object : objects)
        if (const auto it = dataset_of_.find(object); it != dataset_of_.end())
          found.push_back(it->second);
      return found;
    };
    table.columns = datasets_among(table.children);
    if (table.index_group) table.indexes = datasets_among(special_[*table.index_group]);
    if (table.category_group) table.categories = datasets_among(special_[*table.category_group]);
    ClauseSet against;
    for (const std::size_t column : table.columns) {
      table.eligible += datasets_[column].eligible();
      against |= datasets_[column].against;
    }
    notes_.enter(table.object);
    judge_eligibility(TableEligibility{table.columns.size(), table.eligible, reasons_text(against)},
                      table.at, notes_);
  }
}

}  // namespace hepcheck::hdf5
