#include "validator/formats/hep001/reader/both.h"

#include <algorithm>
#include <format>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "validator/formats/hep001/reader/read_tables.h"
#include "validator/formats/hep001/reader/reading.h"

namespace hepcheck::hep001 {

namespace {

// --- What was found to differ -------------------------------------------------------------------

class Disagreements {
 public:
  // Where both returned something. Equal readings are none.
  void compare(const std::string& where, std::string_view what, const std::string& own,
               const std::string& library) {
    if (own == library) return;
    // What is equal at the beginning of long readings does not help.
    constexpr std::size_t kMost = 300, kBefore = 40;
    const auto [a, b] = std::ranges::mismatch(own, library);
    const auto from = static_cast<std::size_t>(a - own.begin());
    const std::size_t begin = from > kBefore ? from - kBefore : 0;
    const auto part = [&](const std::string& text) {
      return (begin > 0 ? "..." : "") + text.substr(std::min(begin, text.size()), kMost);
    };
    add(where, std::format("{}{}{}{}; libhdf5: has {}", kReadersContradict, what,
                           what.empty() ? "" : " ", part(own), part(library)));
  }
  // Where only one of them could. Both reasons together are no disagreement.
  void one_sided(const std::string& where, std::string_view what,
                 const std::optional<std::string>& own, const std::optional<std::string>& library) {
    if (own.has_value() == library.has_value()) return;
    add(where, std::format("{}own reader: {}; libhdf5: {}", kReadersDisagree,
                           own ? *own : std::format("reads {}", what),
                           library ? *library : std::format("reads {}", what)));
  }
  std::vector<Error> take() {
    const std::lock_guard lock(mutex_);
    return std::move(all_);
  }

 private:
  void add(const std::string& where, std::string text) {
    constexpr std::size_t kMostRemarks = 100;
    const std::lock_guard lock(mutex_);
    if (all_.size() < kMostRemarks) all_.push_back({where, std::move(text)});
  }

  std::mutex mutex_{};
  std::vector<Error> all_{};
};

template <class T>
std::optional<std::string> reason_of(const std::expected<T, Error>& result) {
  return result ? std::nullopt : std::optional(result.error().cause);
}

void compare_attribute(const std::string& path, Attribute own, Attribute library,
                       Disagreements& into) {
  const std::string where = path + "@" + own.name;
  into.one_sided(where, "the attribute", own.unreadable, library.unreadable);
  if (own.unreadable || library.unreadable) return;
  // A reference to an object that only one of them refuses.
  for (std::size_t i = 0; i < std::min(own.references.size(), library.references.size()); ++i) {
    Reference &a = own.references[i], &b = library.references[i];
    if (a.dangling() == b.dangling()) continue;
    const auto why = [](const Reference& each) {
      return each.dangling() ? std::optional(each.why) : std::nullopt;
    };
    into.one_sided(where, "a reference", why(a), why(b));
    a = b = Reference();
  }
  into.compare(where, "an attribute", reading_of(own), reading_of(library));
}

void compare_attributes(const std::string& path, const Attributes& own, const Attributes& library,
                        const std::optional<std::string>& own_trouble,
                        const std::optional<std::string>& library_trouble, Disagreements& into) {
  into.one_sided(path, "all attributes", own_trouble, library_trouble);
  for (const auto& [name, attribute] : own) {
    const auto it = library.find(name);
    if (it != library.end())
      compare_attribute(path, attribute, it->second, into);
    else if (!library_trouble)
      into.compare(path, "an attribute", name, "none");
  }
  if (own_trouble) return;
  for (const auto& [name, attribute] : library)
    if (!own.contains(name)) into.compare(path, "an attribute", "none", name);
}

// --- Values -------------------------------------------------------------------------------------

// Which parts of blocks have the same form in both: not pointers, and not references.
struct Comparable {
  explicit Comparable(const Datatype& type)
      : strings(!contains_class(type, TypeClass::kReference)),
        bytes(strings && !has_variable_part(type)) {}
  bool strings, bytes;
};

constexpr const char* kNoMoreRows = "has no more rows";

class BothStream : public ValueStream {
 public:
  BothStream(std::unique_ptr<ValueStream> own, std::unique_ptr<ValueStream> library,
             const Dataset& dataset, Disagreements& into)
      : own_(std::move(own)), library_(std::move(library)), path_(dataset.path),
        comparable_(dataset.type), into_(into) {}

  Result<std::optional<Block>> next() override {
    Result<std::optional<Block>> block = own_->next();
    if (library_ && !block) {
      // The library reads in other steps, and may fail later.
      std::optional<std::string> trouble;
      while (true) {
        const auto other = library_->next();
        trouble = reason_of(other);
        if (!other || !*other) break;
      }
      into_.one_sided(path_, "the values", block.error().cause, trouble);
      library_.reset();
    }
    if (library_ && block) {
      if (*block)
        compare(**block);
      else
        end();
    }
    return block;
  }

 private:
  // The own reader has no more rows.
  void end() {
    const Result<std::optional<Block>> next =
        at_ < other_.rows ? Result<std::optional<Block>>(other_) : library_->next();
    if (!next)
      into_.one_sided(path_, "the values", std::nullopt, next.error().cause);
    else if (*next)
      into_.one_sided(path_, "the values", kNoMoreRows, std::nullopt);
    library_.reset();
  }

  void compare(const Block& own) {
    for (std::uint64_t done = 0; done < own.rows && library_;) {
      if (at_ == other_.rows) {
        Result<std::optional<Block>> next = library_->next();
        if (!next || !*next) {
          into_.one_sided(path_, "the values", std::nullopt,
                          next ? kNoMoreRows : next.error().cause);
          library_.reset();
          return;
        }
        other_ = **next;
        at_ = 0;
      }
      const std::uint64_t rows = std::min(own.rows - done, other_.rows - at_);
      for (std::uint64_t i = 0; i < rows && library_; ++i) compare(own, done + i, at_ + i);
      done += rows;
      at_ += rows;
    }
  }

  void compare(const Block& own, std::uint64_t mine, std::uint64_t its) {
    const auto differ = [&](const std::string& a, const std::string& b) {
      into_.compare(path_, std::format("in row {}", own.first_row + mine), a, b);
      library_.reset();  // one is enough
    };
    const auto row = [](const Block& block, std::uint64_t at) {
      const std::size_t size = block.bytes.size() / block.rows;
      return block.bytes.subspan(at * size, size);
    };
    if (comparable_.bytes && !std::ranges::equal(row(own, mine), row(other_, its)))
      return differ(reading_of(row(own, mine)), reading_of(row(other_, its)));
    if (!comparable_.strings) return;
    if (own.strings.size() != own.rows || other_.strings.size() != other_.rows) {
      if (own.strings.size() / own.rows != other_.strings.size() / other_.rows)
        differ(std::format("{} texts", own.strings.size()),
               std::format("{} texts", other_.strings.size()));
    } else if (own.strings[mine] != other_.strings[its]) {
      differ(reading_of(std::as_bytes(std::span(own.strings[mine]))),
             reading_of(std::as_bytes(std::span(other_.strings[its]))));
    }
  }

  std::unique_ptr<ValueStream> own_, library_;
  std::string path_;
  Comparable comparable_;
  Disagreements& into_;
  Block other_{};         // of the library
  std::uint64_t at_ = 0;  // the next row of it
};

class BothValues : public ValueSource {
 public:
  BothValues(ValueSource& own, ValueSource& library, Disagreements& into)
      : own_(own), library_(library), into_(into) {}

  Result<std::unique_ptr<ValueStream>> stream_rows(const Dataset& dataset, std::uint64_t first,
                                                   std::uint64_t count) override {
    auto own = own_.stream_rows(dataset, first, count);
    auto library = library_.stream_rows(dataset, first, count);
    if (own && library)
      return std::make_unique<BothStream>(std::move(*own), std::move(*library), dataset, into_);
    into_.one_sided(dataset.path, "the values", reason_of(own), reason_of(library));
    return own;
  }

  Result<std::vector<std::byte>> read(const Dataset& dataset, std::span<const std::uint64_t> start,
                                      std::span<const std::uint64_t> count) override {
    auto own = own_.read(dataset, start, count);
    const auto library = library_.read(dataset, start, count);
    into_.one_sided(dataset.path, "values", reason_of(own), reason_of(library));
    if (own && library && Comparable(dataset.type).bytes) {
      const auto [a, b] = std::ranges::mismatch(*own, *library);
      const auto at = static_cast<std::size_t>(a - own->begin());
      into_.compare(dataset.path, std::format("at byte {} of a part", at),
                    reading_of(std::span(*own).subspan(at)),
                    reading_of(std::span(*library).subspan(std::min(at, library->size()))));
    }
    return own;
  }

 private:
  ValueSource& own_;
  ValueSource& library_;
  Disagreements& into_;
};

// --- Objects ------------------------------------------------------------------------------------

// What both objects of a pair share with the file.
struct Shared {
  Disagreements disagreements{};
  std::unordered_map<ObjectToken, std::string, ObjectTokenHash> paths{};
};

class BothObject : public OpenObject {
 public:
  BothObject(std::unique_ptr<OpenObject> own, std::unique_ptr<OpenObject> library, std::string path,
             Shared& shared)
      : own_(std::move(own)), library_(std::move(library)), path_(std::move(path)),
        shared_(shared) {}

  OpenObject& library() { return *library_; }
  OpenObject& own() { return *own_; }

  ObjectKind kind() const override { return own_->kind(); }

  std::optional<Attribute> attribute(const char* name) override {
    auto own = own_->attribute(name);
    const auto library = library_->attribute(name);
    if (own && library) compare_attribute(path_, *own, *library, into());
    // If one is missing, attributes() says so.
    return own;
  }

  Attributes attributes(std::optional<std::string>& trouble,
                        std::optional<Attribute> known) override {
    std::optional<std::string> other;
    Attributes own = own_->attributes(trouble, std::move(known));
    compare_attributes(path_, own, library_->attributes(other, std::nullopt), trouble, other,
                       into());
    return own;
  }

  std::vector<LinkInfo> links(std::uint64_t limit, std::optional<std::string>& trouble) override {
    std::optional<std::string> other;
    std::vector<LinkInfo> own = own_->links(limit, trouble);
    const std::vector<LinkInfo> library = library_->links(limit, other);
    into().one_sided(path_, "all links", trouble, other);
    for (std::size_t i = 0; i < std::min(own.size(), library.size()) && !trouble && !other; ++i)
      into().compare(path_, "a link", reading_of(own[i]), reading_of(library[i]));
    if (!trouble && !other)
      into().compare(path_, "links:", std::to_string(own.size()), std::to_string(library.size()));
    for (const LinkInfo& link : own)
      if (link.kind == Child::LinkKind::kHard)
        shared_.paths.try_emplace(link.token, join_path(path_, link.name));
    return own;
  }

  std::string link_target(const LinkInfo& link) override {
    std::string own = own_->link_target(link);
    into().compare(join_path(path_, link.name), "a target", own, library_->link_target(link));
    return own;
  }

  std::optional<SoftTarget> soft_target(const LinkInfo& link) override {
    const auto own = own_->soft_target(link), library = library_->soft_target(link);
    const auto why = [](const std::optional<SoftTarget>& target) {
      return target ? std::nullopt : std::optional<std::string>("it leads to no object");
    };
    const auto text = [](const SoftTarget& target) {
      return reading_of(LinkInfo{.token = target.token}) + " " + reading_of(target.object);
    };
    const std::string path = join_path(path_, link.name);
    into().one_sided(path, "its target", why(own), why(library));
    if (own && library) into().compare(path, "a target", text(*own), text(*library));
    return own;
  }

  Dataset dataset(std::string name, std::string path, const ObjectToken& token) override {
    Dataset own = own_->dataset(name, path, token);
    const Dataset library = library_->dataset(std::move(name), std::move(path), token);
    into().one_sided(own.path, "the dataset", own.unreadable, library.unreadable);
    if (own.unreadable || library.unreadable) return own;
    into().compare(own.path, "a datatype", reading_of(own.type), reading_of(library.type));
    // The library takes that of a virtual dataset from its mappings, which may not exist.
    if (own.storage.layout != StorageLayout::kVirtual)
      into().compare(own.path, "a dataspace", reading_of(own.space), reading_of(library.space));
    into().one_sided(own.path, "the fill value", own.storage.fill_unreadable,
                     library.storage.fill_unreadable);
    if (own.storage.fill_unreadable.has_value() == library.storage.fill_unreadable.has_value())
      into().compare(own.path, "storage", reading_of(own.storage, own.type),
                     reading_of(library.storage, library.type));
    compare_attributes(own.path, own.attributes, library.attributes, own.attributes_unreadable,
                       library.attributes_unreadable, into());
    return own;
  }

 private:
  Disagreements& into() { return shared_.disagreements; }

  std::unique_ptr<OpenObject> own_, library_;
  std::string path_;
  Shared& shared_;
};

class BothFile : public TableFile {
 public:
  BothFile(std::unique_ptr<TableFile> own, std::unique_ptr<TableFile> library)
      : own_(std::move(own)), library_(std::move(library)),
        values_(own_->values(), library_->values(), shared_.disagreements) {}

  const Limits& limits() const override { return own_->limits(); }
  std::uint64_t bytes() const override { return own_->bytes(); }

  Result<ObjectToken> root() override {
    const auto own = own_->root(), library = library_->root();
    into().one_sided("/", "the root group", reason_of(own), reason_of(library));
    if (own && library)
      into().compare("/", "a root", reading_of(LinkInfo{.token = *own}),
                     reading_of(LinkInfo{.token = *library}));
    if (own) shared_.paths.try_emplace(*own, "/");
    return own;
  }

  Opened open(const ObjectToken& token) override {
    Opened own = own_->open(token), library = library_->open(token);
    const std::string path = known_path(token);
    if (own && library && (*own)->kind() == (*library)->kind())
      return std::make_unique<BothObject>(std::move(*own), std::move(*library), path, shared_);
    const auto why = [](const Opened& opened) {
      return opened ? std::nullopt : std::optional(opened.error());
    };
    // The library reads the messages of a dataset when it opens it.
    std::optional<std::string> refused = why(own);
    if (own && !library && (*own)->kind() == ObjectKind::kDataset)
      refused = (*own)->dataset("", path, token).unreadable;
    into().one_sided(path, "the object", refused, why(library));
    if (!own || !library) return std::unexpected(own ? library.error() : own.error());
    into().compare(path, "", reading_of((*own)->kind()), reading_of((*library)->kind()));
    return std::unexpected("the two readers disagree about what it is");
  }

  ObjectKind kind_of_unopenable(OpenObject& parent, const LinkInfo& link) override {
    // All objects are of this class.
    return own_->kind_of_unopenable(static_cast<BothObject&>(parent).own(), link);
  }

  std::optional<ObjectToken> find(const std::string& path) override {
    const auto own = own_->find(path), library = library_->find(path);
    const auto why = [](const std::optional<ObjectToken>& token) {
      return token ? std::nullopt : std::optional<std::string>("finds no object");
    };
    into().one_sided(path, "the object", why(own), why(library));
    if (own && library)
      into().compare(path, "an object", reading_of(LinkInfo{.token = *own}),
                     reading_of(LinkInfo{.token = *library}));
    if (own) shared_.paths.try_emplace(*own, path);
    return own;
  }

  std::string path_of(const ObjectToken& token) override {
    std::string own = own_->path_of(token);
    into().compare(own, "a path", own, library_->path_of(token));
    return own;
  }

  ValueSource& values() override { return values_; }
  std::vector<Error> remarks() override { return into().take(); }

 private:
  Disagreements& into() { return shared_.disagreements; }
  std::string known_path(const ObjectToken& token) const {
    const auto it = shared_.paths.find(token);
    return it == shared_.paths.end() ? "?" : it->second;
  }

  std::unique_ptr<TableFile> own_, library_;
  Shared shared_{};
  BothValues values_;
};

}  // namespace

std::unique_ptr<TableFile> compare_readers(std::unique_ptr<TableFile> own,
                                           std::unique_ptr<TableFile> library) {
  return std::make_unique<BothFile>(std::move(own), std::move(library));
}

}  // namespace hepcheck::hep001
