#include "validator/formats/hep001/libhdf5/file.h"

#include <array>
#include <deque>
#include <format>
#include <unordered_set>
#include <vector>

#include "validator/bytes.h"
#include "validator/counted.h"
#include "validator/formats/hep001/libhdf5/descriptor_driver.h"
#include "validator/formats/hep001/libhdf5/error.h"
#include "validator/rewrite.h"
#include "validator/worker_position.h"

namespace hepcheck::hep001::libhdf5 {

namespace {

// SWMR readers retry when a checksum fails, and double the delay each time. The default of 100
// attempts would never finish on a damaged file; this limit is about a millisecond.
constexpr unsigned kSwmrReadAttempts = 20;

PropertyHandle access_list() {
  PropertyHandle list{H5Pcreate(H5P_FILE_ACCESS)};
  H5Pset_metadata_read_attempts(list.get(), kSwmrReadAttempts);
  H5Pset_fclose_degree(list.get(), H5F_CLOSE_STRONG);
  return list;
}

// Every object is read once. Caching it in the library costs new memory, which takes longer to
// obtain than reading a B-tree node again.
void cache_little(hid_t list) {
  constexpr std::size_t kBytes = std::size_t{256} << 10;
  H5AC_cache_config_t cache{};
  cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  if (H5Pget_mdc_config(list, &cache) < 0) return;
  cache.set_initial_size = true;
  cache.initial_size = cache.min_size = cache.max_size = kBytes;
  cache.incr_mode = H5C_incr__off;
  cache.flash_incr_mode = H5C_flash_incr__off;
  cache.decr_mode = H5C_decr__off;
  H5Pset_mdc_config(list, &cache);
}

// An object that waits to be visited, if it is a group.
struct Waiting {
  ObjectToken token;
  std::string path;
  std::uint64_t depth;
};

class GroupWalk {
 public:
  GroupWalk(const File& file, const Visitor& visit) : context_(file.context()), visit_(visit) {}

  void run() {
    H5O_info2_t root;
    if (H5Oget_info3(context_.file, &root, H5O_INFO_BASIC) < 0) {
      visit_.unreadable(last_error("/"));
      return;
    }
    wait_for(token_of(root.token), "/", 0);
    while (!waiting_.empty()) {
      const Waiting next = std::move(waiting_.front());
      waiting_.pop_front();
      visit_object(next);
    }
  }

 private:
  void wait_for(const ObjectToken& token, std::string path, std::uint64_t depth) {
    if (seen_.insert(token).second) waiting_.push_back({token, std::move(path), depth});
  }

  // Opens every object once, because opening is the expensive part.
  void visit_object(const Waiting& object) {
    now_at(Stage::kWalking, object.path);
    const ObjectHandle id{H5Oopen_by_token(context_.file, native_token(object.token))};
    if (!id)
      visit_.unreadable(last_error(object.path));
    else if (H5Iget_type(id.get()) == H5I_GROUP)
      visit_group(id.get(), object);
  }

  void visit_group(hid_t id, const Waiting& group) {
    if (group.depth > context_.limits.group_depth) {
      visit_.unreadable({group.path, "nested deeper than the limit of " +
                                         counted(context_.limits.group_depth, "group")});
      return;
    }
    std::optional<Attribute> marker = read_attribute(context_, id, "CLASS");
    if (marker && marker->unreadable)
      visit_.unreadable({group.path, "attribute CLASS: " + *marker->unreadable});
    const std::optional<std::string> value = marker ? string_value(*marker) : std::nullopt;
    if (value && *value != "COLUMN_TABLE" && visit_.other) visit_.other(group.path, *value);
    if (value == "COLUMN_TABLE") {
      if (tables_++ >= context_.limits.subjects) {
        visit_.unreadable(
            {group.path,
             std::format("beyond the limit of {}; later objects were not visited either",
                         counted(context_.limits.subjects, "subject"))});
        waiting_.clear();
        return;
      }
      Table table = read_table(context_, id, group.path, group.token, std::move(marker));
      links_ += table.group.children.size();
      walk_on(table.group, group.depth);
      visit_.table(std::move(table));
    } else {
      visit_links(id, group);
    }
  }

  // Everything below a table group was read already, except for the contents of other tables.
  void walk_on(const Group& group, std::uint64_t depth) {
    for (const Child& child : group.children) {
      if (!child.is_group()) continue;
      if (!child.group || marks_table(*child.group) || child.group->unreadable)
        wait_for(child.token, child.path, depth + 1);
      else if (seen_.insert(child.token).second)
        walk_on(*child.group, depth + 1);
    }
  }

  void visit_links(hid_t id, const Waiting& group) {
    std::optional<std::string> trouble;
    const std::uint64_t left = context_.limits.links > links_ ? context_.limits.links - links_ : 0;
    const std::vector<LinkInfo> links = list_links(id, left, trouble);
    links_ += links.size();
    if (trouble && links_ >= context_.limits.links) {
      visit_.unreadable({group.path, std::format("more links than the limit of {} per file",
                                                 context_.limits.links)});
      waiting_.clear();
      return;
    }
    if (trouble) visit_.unreadable({group.path, *trouble});
    for (const LinkInfo& link : links) {
      if (link.kind != Child::LinkKind::kHard || seen_.contains(link.token)) continue;
      const std::string path = join_path(group.path, link.name);
      if (seen_.size() >= context_.limits.objects) {
        visit_.unreadable(
            {path, "beyond the limit of " + counted(context_.limits.objects, "object")});
        return;
      }
      wait_for(link.token, path, group.depth + 1);
    }
  }

  const FileContext& context_;
  const Visitor& visit_;
  std::deque<Waiting> waiting_{};
  std::unordered_set<ObjectToken, ObjectTokenHash> seen_{};
  std::uint64_t links_ = 0, tables_ = 0;
};

}  // namespace

Result<File> File::open(const std::string& path, const Limits& limits) {
  Result<Descriptor> descriptor = open_for_reading(path);
  if (!descriptor) return std::unexpected(descriptor.error());
  Result<File> file = open_descriptor(descriptor->get(), path, limits);
  if (file) file->descriptor_ = std::move(*descriptor);
  return file;
}

Result<File> File::open_descriptor(int descriptor, const std::string& name, const Limits& limits) {
  const PropertyHandle list = access_list();
  cache_little(list.get());
  if (!read_from(list.get(), descriptor)) return library_failure(name);
  File file;
  file.handle_ = FileHandle{H5Fopen(name.c_str(), H5F_ACC_RDONLY, list.get())};
  if (!file.handle_) {
    Error error = last_error(name);
    const bool hdf5 = H5Fis_accessible(name.c_str(), list.get()) != 0;
    H5Eclear2(H5E_DEFAULT);
    return failure(name, hdf5 ? std::move(error.cause) : "not an HDF5 file");
  }
  file.context_ = {.file = file.handle_.get(), .name = name, .limits = limits, .image = {}};
  return file;
}

Result<File> File::open_for_writing(Rewrite& rewrite, const std::string& name,
                                    const Limits& limits) {
  const PropertyHandle list = access_list();
  if (!write_through(list.get(), rewrite)) return library_failure(name);
  File file;
  file.handle_ = FileHandle{H5Fopen(name.c_str(), H5F_ACC_RDWR, list.get())};
  if (!file.handle_) return library_failure(name);
  file.rewrite_ = &rewrite;
  file.context_ = {.file = file.handle_.get(), .name = name, .limits = limits, .image = {}};
  return file;
}

Result<File> File::open_image(std::span<const std::byte> image, const Limits& limits) {
  const PropertyHandle list{H5Pcreate(H5P_FILE_ACCESS)};
  H5Pset_fapl_core(list.get(), std::size_t{64} << 10, false);
  H5Pset_fclose_degree(list.get(), H5F_CLOSE_STRONG);
  if (image.empty()) return failure("", "the file is empty");
  constexpr const char* kImage = "image";
  // The library copies the image, although it takes a non-const pointer.
  if (H5Pset_file_image(list.get(), const_cast<std::byte*>(image.data()), image.size()) < 0)
    return library_failure("file image");
  File file;
  file.handle_ = FileHandle{H5Fopen(kImage, H5F_ACC_RDONLY, list.get())};
  if (!file.handle_) {
    std::string cause = last_error("").cause;
    if (cause.contains("signature")) cause = "not an HDF5 file";
    return failure("", std::move(cause));
  }
  file.context_ = {.file = file.handle_.get(), .name = kImage, .limits = limits, .image = image};
  return file;
}

bool File::marked_as_open() const {
  // The superblock follows the user block. Byte 8 is its version; from version 3 on, byte 11 has
  // the marks.
  const PropertyHandle made{H5Fget_create_plist(handle_.get())};
  hsize_t superblock = 0;
  void* descriptor = nullptr;
  std::array<std::byte, 12> bytes{};
  return H5Pget_userblock(made.get(), &superblock) < 0 ||
         H5Fget_vfd_handle(handle_.get(), H5P_DEFAULT, &descriptor) < 0 ||
         !Bytes::of_descriptor(*static_cast<const int*>(descriptor), context_.name)
              .read(superblock, bytes) ||
         (bytes[8] >= std::byte{3} && bytes[11] != std::byte{0});
}

bool File::flush() const {
  return H5Fflush(handle_.get(), H5F_SCOPE_GLOBAL) >= 0 && !(rewrite_ && rewrite_->failed());
}

bool File::close() {
  const bool flushed = flush();
  return handle_.close() && flushed && !(rewrite_ && rewrite_->failed());
}

std::uint64_t File::bytes() const {
  hsize_t size = 0;
  return H5Fget_filesize(handle_.get(), &size) < 0 ? 0 : size;
}

void for_each_table(const File& file, const Visitor& visit) { GroupWalk(file, visit).run(); }

Result<Table> read_table_at(const File& file, const std::string& path) {
  const FileContext& context = file.context();
  const ObjectHandle object{H5Oopen(context.file, path.c_str(), stay_in_file())};
  if (!object) {
    H5Eclear2(H5E_DEFAULT);
    return failure(path, "no such group");
  }
  if (H5Iget_type(object.get()) != H5I_GROUP) return failure(path, "not a group");
  H5O_info2_t info;
  if (H5Oget_info3(object.get(), &info, H5O_INFO_BASIC) < 0) return library_failure(path);
  std::string absolute = path.starts_with('/') ? path : "/" + path;
  while (absolute.size() > 1 && absolute.ends_with('/')) absolute.pop_back();
  return read_table(context, object.get(), std::move(absolute), token_of(info.token));
}

}  // namespace hepcheck::hep001::libhdf5
