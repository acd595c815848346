#include "validator/formats/rntuple/root_file.h"

#include <algorithm>
#include <array>
#include <format>
#include <map>
#include <utility>

#include "validator/formats/rntuple/rule.h"
#include "validator/integers.h"
#include "validator/worker_position.h"

namespace hepcheck::rntuple {

namespace {

template <class T>
T big(std::span<const std::byte> bytes, std::size_t at) {
  return load<T>(bytes.data() + at, std::endian::big);
}

std::vector<std::byte> bytes_at(const Bytes& file, std::uint64_t at, std::uint64_t size) {
  std::vector<std::byte> made(size);
  if (!file.read(at, made)) made.clear();
  return made;
}

// As many bytes as there are, up to `size`.
std::vector<std::byte> some_at(const Bytes& file, std::uint64_t at, std::uint64_t size,
                               std::uint64_t limit) {
  return at >= limit ? std::vector<std::byte>{} : bytes_at(file, at, std::min(size, limit - at));
}

constexpr std::uint32_t kLargeForm = 1'000'000;
constexpr std::uint64_t kSmallHeader = 63, kLargeHeader = 75;
// A header with three names of ordinary length.
constexpr std::uint64_t kUsualKey = 1024;
constexpr std::uint16_t kWideKey = 1000;

// --- C.1: the header of the file -----------------------------------------------------------------

struct FileHeader {
  std::uint64_t size = 0, header = 0, begin = 0, end = 0;
  bool whole = false, large = false;
  std::uint8_t units = 0;
};

constexpr Rule kFileHeader("rntuple-root-header", [](const FileHeader& it, Look& look) {
  const std::uint64_t most = std::min(it.size, it.end);
  look.ask(
      it.whole && it.header <= it.begin && it.begin <= most,
      [&] {
        return it.whole ? std::format("fBEGIN {}, fEND {}", it.begin, it.end)
                        : std::format("a file of {} bytes", it.size);
      },
      [&] {
        return it.whole ? std::format("fBEGIN in {} to {}", it.header, most)
                        : std::format("a header of {} bytes", it.header);
      });
});

constexpr Rule kEndInFile("rntuple-root-end-in-file", [](const FileHeader& it, Look& look) {
  look.ask(
      it.end <= it.size, [&] { return std::format("fEND {}", it.end); },
      [&] { return std::format("at most {}, the size of the file", it.size); });
});

constexpr Rule kUnits("rntuple-root-units", [](const FileHeader& it, Look& look) {
  look.ask(
      it.units == (it.large ? 8 : 4), [&] { return std::format("fUnits {}", it.units); },
      [&] { return it.large ? "8 in the 64-bit form" : "4 in the 32-bit form"; });
});

// --- C.2: directories ----------------------------------------------------------------------------

struct DirectoryRecord {
  bool whole = false, root = false;
  std::uint64_t at = 0, limit = 0, seek = 0, own = 0;
  std::uint32_t name_bytes = 0, name_bytes_of_header = 0;
};

constexpr Rule kDirectory("rntuple-root-directory", [](const DirectoryRecord& it, Look& look) {
  look.looked();
  if (!it.whole)
    look.fail(std::format("a record at {}", it.at),
              std::format("a whole record before {}", it.limit));
  else if (it.own != it.seek)
    look.fail(std::format("fSeekDir {}", it.own), std::format("{}, its own offset", it.seek));
  else if (it.root && it.name_bytes != it.name_bytes_of_header)
    look.fail(std::format("fNbytesName {}", it.name_bytes),
              std::format("{}, as the file header says", it.name_bytes_of_header));
});

struct KeyList {
  std::string fault{};
};

constexpr Rule kKeyList("rntuple-root-keys-list", [](const KeyList& it, Look& look) {
  look.ask(it.fault.empty(), it.fault, "a list of keys inside the bytes of the directory");
});

constexpr Rule kBlobNotListed("rntuple-rblob-not-listed", [](const Key& it, Look& look) {
  look.ask(
      it.class_name != "RBlob", [&] { return std::format("a key of class RBlob at {}", it.seek); },
      "keys of other classes only");
});

Place at_byte(std::uint64_t byte) { return {.byte = byte}; }

}  // namespace

std::optional<Key> read_key(std::span<const std::byte> bytes) {
  constexpr std::size_t kFixed = 18;
  if (bytes.size() < kFixed) return std::nullopt;
  Key key;
  key.bytes = big<std::int32_t>(bytes, 0);
  key.version = big<std::uint16_t>(bytes, 4);
  key.object = big<std::uint32_t>(bytes, 6);
  key.length = big<std::uint16_t>(bytes, 14);
  key.cycle = big<std::uint16_t>(bytes, 16);
  const bool wide = key.version > kWideKey;
  std::size_t at = kFixed + (wide ? 16 : 8);
  if (bytes.size() < at) return std::nullopt;
  key.seek = wide ? big<std::uint64_t>(bytes, 18) : big<std::uint32_t>(bytes, 18);
  key.directory = wide ? big<std::uint64_t>(bytes, 26) : big<std::uint32_t>(bytes, 22);
  for (std::string* text : {&key.class_name, &key.name, &key.title}) {
    if (bytes.size() - at < 1) return std::nullopt;
    std::uint64_t size = std::to_integer<std::uint8_t>(bytes[at++]);
    if (size == 255) {
      if (bytes.size() - at < 4) return std::nullopt;
      size = big<std::uint32_t>(bytes, at);
      at += 4;
    }
    if (size > bytes.size() - at) return std::nullopt;
    text->assign(reinterpret_cast<const char*>(bytes.data() + at), size);
    at += size;
  }
  key.header = at;
  return key;
}

RootFile::RootFile(const Bytes& file, const Limits& limits, std::uint64_t max_findings,
                   const Specification& spec)
    : file_(file), limits_(limits), notes_(spec, max_findings) {
  now_at(Stage::kWalking);
  if (!read_header()) {
    broken_ = true;
    block<kDirectory, kKeyList, kBlobNotListed>("the file header is not usable",
                                                {"rntuple-root-header"}, notes_);
    return;
  }
  read_directory(begin_ + name_bytes_, begin_, "", 0, true);
  // A name that occurs more than once is distinguished by its cycle.
  std::map<std::string, int> times;
  for (const AnchorKey& each : anchors_) ++times[each.path];
  for (AnchorKey& each : anchors_)
    if (times[each.path] > 1) each.path += std::format(";{}", each.key.cycle);
}

bool RootFile::read_header() {
  FileHeader header{.size = file_.size(), .header = kSmallHeader};
  std::vector<std::byte> bytes = some_at(file_, 0, kLargeHeader, file_.size());
  if (bytes.size() >= 8 && big<std::uint32_t>(bytes, 4) >= kLargeForm) {
    header.large = true;
    header.header = kLargeHeader;
  }
  header.whole = bytes.size() >= header.header;
  if (header.whole) {
    header.begin = big<std::uint32_t>(bytes, 8);
    header.end = header.large ? big<std::uint64_t>(bytes, 12) : big<std::uint32_t>(bytes, 12);
    header.units = std::to_integer<std::uint8_t>(bytes[header.large ? 40 : 32]);
    name_bytes_ = big<std::uint32_t>(bytes, header.large ? 36 : 28);
  }
  begin_ = header.begin;
  end_ = header.end;
  limit_ = std::min(end_, file_.size());
  if (!judge<kFileHeader>(header, at_byte(8), notes_)) return false;
  judge<kUnits>(header, at_byte(header.large ? 40 : 32), notes_);
  judge<kEndInFile>(header, at_byte(12), notes_);
  return true;
}

void RootFile::read_directory(std::uint64_t at, std::uint64_t seek, const std::string& path,
                              std::uint64_t depth, bool root) {
  if (std::ranges::contains(entered_, seek)) return;
  if (depth > limits_.group_depth || entered_.size() >= limits_.objects) {
    block<kDirectory, kKeyList, kBlobNotListed>("directories beyond the limits", {}, notes_);
    return;
  }
  entered_.push_back(seek);
  const std::vector<std::byte> bytes = some_at(file_, at, 42, limit_);
  DirectoryRecord record{
      .root = root, .at = at, .limit = limit_, .seek = seek, .name_bytes_of_header = name_bytes_};
  std::uint64_t keys = 0;
  std::uint32_t key_bytes = 0;
  const bool wide = bytes.size() >= 2 && big<std::uint16_t>(bytes, 0) > kWideKey;
  if (bytes.size() >= (wide ? 42U : 30U)) {
    record.whole = true;
    key_bytes = big<std::uint32_t>(bytes, 10);
    record.name_bytes = big<std::uint32_t>(bytes, 14);
    record.own = wide ? big<std::uint64_t>(bytes, 18) : big<std::uint32_t>(bytes, 18);
    keys = wide ? big<std::uint64_t>(bytes, 34) : big<std::uint32_t>(bytes, 26);
  }
  const bool behind_cut = cut() && !record.whole;
  if (behind_cut)
    block<kDirectory>("it lies behind the end of the file", {"rntuple-root-end-in-file"}, notes_);
  if (behind_cut || !judge<kDirectory>(record, at_byte(at), notes_)) {
    broken_ = true;
    block<kKeyList, kBlobNotListed>(
        "a directory could not be read",
        {behind_cut ? "rntuple-root-end-in-file" : "rntuple-root-directory"}, notes_);
    return;
  }
  read_keys(keys, key_bytes, path, depth);
}

void RootFile::read_keys(std::uint64_t at, std::uint32_t size, const std::string& path,
                         std::uint64_t depth) {
  if (at == 0 && size == 0) {
    judge<kKeyList>(KeyList{}, at_byte(at), notes_);
    return;
  }
  const bool behind_cut = cut() && at >= begin_ && sum(at, size) > limit_ && sum(at, size) <= end_;
  if (behind_cut) {
    broken_ = true;
    block<kKeyList, kBlobNotListed>("it lies behind the end of the file",
                                    {"rntuple-root-end-in-file"}, notes_);
    return;
  }
  KeyList list;
  std::vector<Key> keys;
  std::vector<std::byte> bytes;
  if (at < begin_ || sum(at, size) > limit_)
    list.fault = std::format("a list of {} bytes at {}", size, at);
  else if (size > limits_.attribute_bytes) {
    broken_ = true;
    block<kKeyList, kBlobNotListed>(
        std::format("a list of keys is larger than the limit of {} bytes", limits_.attribute_bytes),
        {}, notes_);
    return;
  } else
    bytes = bytes_at(file_, at, size);
  if (list.fault.empty()) {
    std::span<const std::byte> left(bytes);
    const std::optional<Key> own = read_key(left);
    if (!own || left.size() - own->header < 4) {
      list.fault = "no count of keys";
    } else {
      left = left.subspan(own->header);
      const auto count = big<std::uint32_t>(left, 0);
      left = left.subspan(4);
      while (keys.size() < count && list.fault.empty()) {
        std::optional<Key> key = read_key(left);
        if (!key) {
          list.fault = std::format("{} keys, of which {} fit", count, keys.size());
          break;
        }
        left = left.subspan(key->header);
        keys.push_back(std::move(*key));
      }
    }
  }
  if (!judge<kKeyList>(list, at_byte(at), notes_)) {
    broken_ = true;
    block<kBlobNotListed>("a list of keys could not be read", {"rntuple-root-keys-list"}, notes_);
    return;
  }
  for (Key& key : keys) {
    judge<kBlobNotListed>(key, at_byte(at), notes_);
    if (key.class_name == "TDirectory" || key.class_name == "TDirectoryFile")
      read_directory(sum(key.seek, key.length), key.seek, path + key.name + "/", depth + 1, false);
    else if (key.class_name == "ROOT::Experimental::RNTuple" || key.class_name == "ROOT::RNTuple")
      anchors_.push_back({.key = key, .path = path + key.name});
  }
}

const Blobs& RootFile::blobs() const {
  if (!walked_) walk_records();
  return blobs_;
}

std::optional<Range> RootFile::blob_at(std::uint64_t payload) const {
  // A header with an empty name and title; its pointers have 4 or 8 bytes.
  for (const std::uint64_t size : {std::uint64_t{34}, std::uint64_t{42}}) {
    if (payload > limit_ || payload < sum(begin_, size)) continue;
    const std::optional<Key> key = read_key(bytes_at(file_, payload - size, size));
    if (!key || key->class_name != "RBlob" || key->header != size || key->length != size) continue;
    if (key->seek != payload - size || std::cmp_less(key->bytes, size)) continue;
    const std::uint64_t end = sum(key->seek, static_cast<std::uint64_t>(key->bytes));
    if (end <= limit_) return Range{payload, end};
  }
  return std::nullopt;
}

void RootFile::walk_records() const {
  walked_ = true;
  if (cut()) return;
  std::uint64_t at = begin_;
  while (at < end_) {
    const std::vector<std::byte> start = some_at(file_, at, 4, limit_);
    if (start.size() < 4) return;
    const std::int64_t size = big<std::int32_t>(start, 0);
    if (size == 0) return;
    if (size < 0) {
      at = sum(at, static_cast<std::uint64_t>(-size));
      continue;
    }
    std::vector<std::byte> bytes =
        some_at(file_, at, std::min(kUsualKey, static_cast<std::uint64_t>(size)), limit_);
    std::optional<Key> key = read_key(bytes);
    if (!key && static_cast<std::uint64_t>(size) > kUsualKey) {
      bytes = some_at(file_, at, std::min<std::uint64_t>(0xFFFF, static_cast<std::uint64_t>(size)),
                      limit_);
      key = read_key(bytes);
    }
    if (!key || key->seek != at) return;
    const std::uint64_t end = sum(at, static_cast<std::uint64_t>(size));
    if (key->class_name == "RBlob" && sum(at, key->length) <= end)
      blobs_.payloads.push_back({at + key->length, end});
    at = end;
  }
  blobs_.complete = at == end_;
}

void root_file_rules(RuleList& list) {
  list.structure<kFileHeader, kEndInFile, kUnits, kDirectory, kKeyList, kBlobNotListed>();
}

}  // namespace hepcheck::rntuple
