// A reader of HDF5 files on the HDF5 C library, for hepcheck suite (conformance/protocol-hdf5.md).
//
// Each file is read in a process of its own, because a broken one may damage what the library keeps
// in memory. If this process ends, the adapter ends in the same way, and the suite sees a crash.
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <format>
#include <iostream>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "../../cpp/notation.h"

namespace adapter {

namespace {

constexpr rlim_t kAddressSpace = rlim_t{4} << 30;

// What the library said last, of the innermost function that failed.
std::string reason;

herr_t note_reason(hid_t stack, void*) {
  return H5Ewalk2(
      stack, H5E_WALK_UPWARD,
      [](unsigned, const H5E_error2_t* error, void*) -> herr_t {
        reason = error->desc ? std::string(error->desc).substr(0, 300) : "";
        return 1;
      },
      nullptr);
}

// What the library refuses is stated in the entry.
template <class Read>
void refusals(Json& entry, Read read) {
  try {
    reason.clear();
    read();
  } catch (const std::exception& failure) {
    if (!entry.contains("refused"))
      entry["refused"] = text_notation(std::string(failure.what()) + ": " + reason);
    if (!entry["refused"].is_string()) entry["refused"] = "a message that is no text";
  }
}

class Reader {
 public:
  explicit Reader(hsize_t most) : most_(most) {}

  Json read(const std::string& path) {
    const Id file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    object(Id(H5Oopen(file, "/", H5P_DEFAULT)), Json::array());
    return {{"objects", objects_}};
  }

 private:
  void object(const Id& item, const Json& path) {
    H5O_info2_t info;
    H5_CHECK(H5Oget_info3(item, &info, H5O_INFO_BASIC));
    if (!seen_.insert(std::string(reinterpret_cast<const char*>(&info.token), sizeof info.token))
             .second)
      return;
    const H5I_type_t kind = H5Iget_type(item);
    Json entry{{"path", path},
               {"kind", kind == H5I_GROUP     ? "group"
                        : kind == H5I_DATASET ? "dataset"
                                              : "type"}};
    std::vector<Link> members;
    refusals(entry, [&] {
      if (kind == H5I_DATASET) {
        values(entry, Id(H5Dget_type(item)), Id(H5Dget_space(item)), [&](hid_t type, void* into) {
          return H5Dread(item, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, into);
        });
      } else if (kind == H5I_DATATYPE) {
        entry["type"] = describe_type(item);
      } else {
        members = links(item);
        entry["links"] = Json::array();
        for (const Link& link : members) entry["links"].push_back(text_notation(link.name));
      }
    });
    refusals(entry, [&] { attributes(entry, item); });
    objects_.push_back(std::move(entry));
    for (const Link& link : members) {
      if (link.type != H5L_TYPE_HARD) continue;
      Json below = path;
      below.push_back(text_notation(link.name));
      Json unknown{{"path", below}, {"kind", "unknown"}};
      refusals(unknown, [&] { object(Id(H5Oopen(item, link.name.c_str(), H5P_DEFAULT)), below); });
      if (unknown.contains("refused")) objects_.push_back(std::move(unknown));
    }
  }

  void attributes(Json& entry, const Id& item) {
    std::vector<std::string> names;
    H5_CHECK(H5Aiterate2(
        item, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr,
        [](hid_t, const char* name, const H5A_info_t*, void* into) -> herr_t {
          static_cast<std::vector<std::string>*>(into)->emplace_back(name);
          return 0;
        },
        &names));
    Json listed = Json::array();
    for (const std::string& name : names) {
      Json one{{"name", text_notation(name)}};
      refusals(one, [&] {
        const Id attribute(H5Aopen(item, name.c_str(), H5P_DEFAULT));
        values(one, Id(H5Aget_type(attribute)), Id(H5Aget_space(attribute)),
               [&](hid_t type, void* into) { return H5Aread(attribute, type, into); });
      });
      listed.push_back(std::move(one));
    }
    entry["attributes"] = std::move(listed);
  }

  // The members of a dataset or an attribute.
  template <class Read>
  void values(Json& entry, const Id& type, const Id& space, Read read) {
    entry["type"] = describe_type(type);
    if (H5Sget_simple_extent_type(space) == H5S_NULL) {
      entry["shape"] = nullptr;
      return;
    }
    std::vector<hsize_t> shape(
        static_cast<std::size_t>(H5_CHECK(H5Sget_simple_extent_ndims(space))));
    H5_CHECK(H5Sget_simple_extent_dims(space, shape.data(), nullptr));
    Json sizes = Json::array();
    bool many = false;
    hsize_t count = 1;
    for (const hsize_t size : shape) {
      sizes.push_back(std::to_string(size));
      many |= size && count > std::numeric_limits<hsize_t>::max() / size;
      count *= size;
    }
    entry["shape"] = std::move(sizes);
    const std::size_t size = H5Tget_size(type);
    if (many || count > most_ / size) return;
    Bytes elements(size * count + 1);
    if (count) H5_CHECK(read(type, elements.data()));
    Json decoded = Json::array();
    for (hsize_t i = 0; i < count; ++i) decoded.push_back(decode(type, elements.data() + i * size));
    entry["values"] = std::move(decoded);
  }

  hsize_t most_;
  std::set<std::string> seen_{};
  Json objects_ = Json::array();
};

Json hello() {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return {{"protocol", 1},
          {"name", std::format("libhdf5 {}.{}.{} (C)", major, minor, release)},
          {"capabilities",
           {{"operations", {"read"}},
            {"datatypes",
             {"integer", "other-integer", "float", "other-float", "string", "vlen-string", "enum",
              "opaque", "bitfield", "time", "compound", "array", "vlen", "reference"}},
            {"features", {"attributes", "committed-types"}}}}};
}

Json reply_to(const Json& request) {
  Json reply{{"id", request.at("id")}};
  try {
    reply["ok"] =
        request.at("op") == "hello"
            ? hello()
            : Reader(std::stoull(request.at("most").get<std::string>())).read(request.at("file"));
  } catch (const std::exception& failure) {
    reply["error"] = {{"kind", "failed"}, {"message", failure.what() + (": " + reason)}};
  }
  return reply;
}

// Ends as a process has ended.
void end_like(int status) {
  if (WIFSIGNALED(status)) {
    ::signal(WTERMSIG(status), SIG_DFL);
    ::kill(::getpid(), WTERMSIG(status));
  }
  if (status) ::_exit(WEXITSTATUS(status));
}

}  // namespace

}  // namespace adapter

int main() {
  H5Eset_auto2(H5E_DEFAULT, adapter::note_reason, nullptr);
  const rlimit limit{.rlim_cur = adapter::kAddressSpace, .rlim_max = adapter::kAddressSpace};
  ::setrlimit(RLIMIT_AS, &limit);
  for (std::string line; std::getline(std::cin, line);) {
    const pid_t child = ::fork();
    if (child == 0) {
      std::cout << adapter::reply_to(adapter::Json::parse(line))
                       .dump(-1, ' ', false, adapter::Json::error_handler_t::replace)
                << std::endl;
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    adapter::end_like(status);
  }
}
