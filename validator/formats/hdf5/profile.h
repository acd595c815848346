// What a file may do to the programs and people that open it, beside being broken: the risk
// profile. It is collected while the file is read, and judged in the end.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hepcheck::hdf5 {

class Container;
struct Filter;

class Profile {
 public:
  enum class Kind : std::uint8_t {
    kExternalLink,
    kExternalLinkPath,
    kUserLink,
    kExternalStorage,
    kExternalStoragePath,
    kExternalStorageUnlimited,
    kSharedStorage,
    kPluginFilter,
    kPrivateFilter,
    kExternalReference,
    kVirtualSource,
    kVirtualSourcePath,
    kVirtualPattern,
    kVirtualLoop,
    kCount,
  };

  std::uint64_t attributes = 0;  // that were read
  std::uint64_t left_over = 0;   // bytes of messages that say nothing, and are not zero

  // One more of that kind; the first few are shown.
  void add(Kind kind, std::string what);
  // A name of a file, and where it is used.
  void external_link(const std::string& path, std::string_view file, std::string_view object);
  void virtual_source(const std::string& path, std::string_view file, std::string_view dataset);
  // The filters of a dataset, or of a heap; `of`: its name in messages.
  void filters(std::span<const Filter> list, std::string_view of);
  struct Storage {
    std::string name;
    std::uint64_t begin, size;
  };
  void external_storage(const std::string& path, std::uint32_t object,
                        const std::vector<Storage>& pieces);

  struct Tally {
    std::uint64_t count = 0;
    std::vector<std::string> first{};

    // "3 links: a, b, c"
    std::string text(std::string_view one, std::string_view more) const;
  };
  const Tally& of(Kind kind) const { return tallies_[static_cast<std::size_t>(kind)]; }

  // Judges all clauses about what was collected.
  void judge_all(Container& file) const;

 private:
  struct Piece {
    std::uint32_t object;
    std::uint64_t begin, end;
  };
  std::array<Tally, static_cast<std::size_t>(Kind::kCount)> tallies_{};
  std::map<std::string, std::vector<Piece>> storage_{};  // by the name of the file
  std::uint64_t pieces_ = 0;
};

// Bytes below the end-of-file address that no structure reaches, when all of them have been read:
// between structures, and behind the last one.
struct Unreached {
  std::uint64_t between = 0, behind = 0;
};
Unreached unreached_bytes(Container& file);
// Bytes that no structure reaches, or that say nothing. `free`: those that managers of free space
// list; `unused`: those of objects in heap collections that nothing names.
void judge_hidden_bytes(const Unreached& bytes, std::uint64_t free, std::uint64_t unused,
                        Container& file);
// The sum, when everything else has been judged.
void judge_profile(Container& file);

}  // namespace hepcheck::hdf5
