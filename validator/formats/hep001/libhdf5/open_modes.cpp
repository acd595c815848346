#include "validator/formats/hep001/libhdf5/open_modes.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstring>
#include <format>
#include <functional>
#include <optional>
#include <thread>

#include "validator/formats/hep001/libhdf5/error.h"
#include "validator/read_whole.h"

namespace hepcheck::hep001::libhdf5 {

namespace {

constexpr hsize_t kRows = 10, kChunk = 4, kMore = 20;

PropertyHandle access(bool locking) {
  PropertyHandle list{H5Pcreate(H5P_FILE_ACCESS)};
  H5Pset_file_locking(list.get(), locking, true);
  H5Pset_libver_bounds(list.get(), H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  return list;
}

bool make_file(const std::string& path, bool latest) {
  const PropertyHandle list{H5Pcreate(H5P_FILE_ACCESS)};
  if (latest) H5Pset_libver_bounds(list.get(), H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  const FileHandle file{H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, list.get())};
  const hsize_t most = H5S_UNLIMITED;
  const SpaceHandle space{H5Screate_simple(1, &kRows, &most)};
  const PropertyHandle made{H5Pcreate(H5P_DATASET_CREATE)};
  H5Pset_chunk(made.get(), 1, &kChunk);
  const ObjectHandle dataset{H5Dcreate2(file.get(), "d", H5T_STD_I32LE, space.get(), H5P_DEFAULT,
                                        made.get(), H5P_DEFAULT)};
  std::array<int, kRows> values{};
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(i);
  return dataset &&
         H5Dwrite(dataset.get(), H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0;
}

FileHandle open(const std::string& path, OpenMode mode, bool locking) {
  // In HDF5 1.14 these are not constants.
  const std::array<unsigned, 4> flags = {H5F_ACC_RDONLY, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ,
                                         H5F_ACC_RDWR, H5F_ACC_RDWR | H5F_ACC_SWMR_WRITE};
  return FileHandle{
      H5Fopen(path.c_str(), flags[static_cast<std::size_t>(mode)], access(locking).get())};
}

// A child process that reports once when its work is done, and ends on request.
class Child {
 public:
  explicit Child(const std::function<std::string(const std::function<void(std::string)>&)>& work) {
    int to[2], from[2];
    if (::pipe(to) != 0 || ::pipe(from) != 0) return;
    pid_ = ::fork();
    if (pid_ == 0) {
      ::close(to[1]);
      ::close(from[0]);
      ::alarm(60);
      bool reported = false;
      const auto say = [&](const std::string& text) {
        reported = true;
        const std::string line = text.substr(0, 2000) + '\n';
        (void)!::write(from[1], line.data(), line.size());
        char byte = 0;
        (void)!::read(to[0], &byte, 1);  // until the parent closes its end
      };
      const std::string last = work(say);
      if (!reported) say(last);
      ::_exit(0);
    }
    ::close(to[0]);
    ::close(from[1]);
    to_ = to[1];
    from_ = from[0];
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (to_ >= 0) ::close(to_);
    if (from_ >= 0) ::close(from_);
    if (pid_ > 0) ::waitpid(pid_, nullptr, 0);
  }

  // Empty if it died.
  std::string hear() {
    std::string line;
    char byte = 0;
    while (from_ >= 0 && ::read(from_, &byte, 1) == 1 && byte != '\n') line += byte;
    return line;
  }

 private:
  pid_t pid_ = -1;
  int to_ = -1, from_ = -1;
};

std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

// "+", or "-" and the reason, while the file stays open.
std::string opens(const std::string& path, OpenMode mode, bool locking,
                  const std::function<void(std::string)>& say) {
  const FileHandle file = open(path, mode, locking);
  if (!file) return "-" + one_line(last_error("").cause);
  const ObjectHandle dataset{H5Dopen2(file.get(), "d", H5P_DEFAULT)};
  std::array<int, kRows> values{};
  if (!dataset ||
      H5Dread(dataset.get(), H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    return "-" + one_line(last_error("").cause);
  say("+");
  return "+";
}

bool append(hid_t dataset, int number) {
  const hsize_t size = kRows + static_cast<hsize_t>(number) + 1, start = size - 1, one = 1;
  if (H5Dset_extent(dataset, &size) < 0) return false;
  const SpaceHandle space{H5Dget_space(dataset)}, memory{H5Screate_simple(1, &one, nullptr)};
  H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, &start, nullptr, &one, nullptr);
  return H5Dwrite(dataset, H5T_NATIVE_INT, memory.get(), space.get(), H5P_DEFAULT, &number) >= 0 &&
         H5Dflush(dataset) >= 0;
}

// The median time of an append with its flush.
std::optional<double> time_appends(const std::string& path, OpenMode mode,
                                   std::chrono::milliseconds pause = {}) {
  const FileHandle file = open(path, mode, false);
  const ObjectHandle dataset{H5Dopen2(file.get(), "d", H5P_DEFAULT)};
  if (!dataset) return std::nullopt;
  std::vector<double> times;
  for (int i = 0; i < static_cast<int>(kMore); ++i) {
    const auto begin = std::chrono::steady_clock::now();
    if (!append(dataset.get(), i)) return std::nullopt;
    times.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    std::this_thread::sleep_for(pause);
  }
  std::ranges::sort(times);
  return times[times.size() / 2];
}

// A SWMR reader that waits for the final size.
std::string follows(const std::string& path, const std::function<void(std::string)>&) {
  const FileHandle file = open(path, OpenMode::kSwmrRead, false);
  const ObjectHandle dataset{H5Dopen2(file.get(), "d", H5P_DEFAULT)};
  for (int tries = 0; dataset && tries < 1000; ++tries) {
    H5Drefresh(dataset.get());
    const SpaceHandle space{H5Dget_space(dataset.get())};
    if (H5Sget_simple_extent_npoints(space.get()) == static_cast<hssize_t>(kRows + kMore))
      return "+";
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return "-";
}

}  // namespace

std::string_view to_string(OpenMode mode) {
  constexpr std::array<std::string_view, 4> kWords = {"read", "SWMR read", "write", "SWMR write"};
  return kWords[static_cast<std::size_t>(mode)];
}

std::string library_version() {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return std::format("{}.{}.{}", major, minor, release);
}

Result<std::vector<OpenAttempt>> try_openings(const std::string& folder, bool locking) {
  initialise(false);
  std::vector<OpenAttempt> all;
  for (const OpenMode held : kOpenModes)
    for (const OpenMode tried : kOpenModes) {
      const std::string path = std::format("{}/modes.h5", folder);
      if (!make_file(path, true)) return std::unexpected(last_error(path));
      OpenAttempt made{.held = held, .tried = tried};
      Child holder([&](const auto& say) { return opens(path, held, locking, say); });
      if (const std::string reply = holder.hear(); !reply.starts_with("+"))
        return failure(path, "cannot be opened by the first process: " + reply);
      const std::optional<std::string> before = read_whole(path);
      Child second([&](const auto& say) { return opens(path, tried, locking, say); });
      const std::string reply = second.hear();
      made.opened = reply.starts_with("+");
      if (!made.opened) made.message = reply.empty() ? "it died" : reply.substr(1);
      made.changed = read_whole(path) != before;
      all.push_back(std::move(made));
    }
  return all;
}

Result<Appends> try_appends(const std::string& folder) {
  initialise(false);
  Appends made;
  const std::string path = folder + "/appends.h5";
  for (const OpenMode mode : {OpenMode::kWrite, OpenMode::kSwmrWrite}) {
    if (!make_file(path, true)) return std::unexpected(last_error(path));
    const std::optional<double> seconds = time_appends(path, mode);
    if (!seconds) return std::unexpected(last_error(path));
    (mode == OpenMode::kWrite ? made.plain_seconds : made.swmr_seconds) = *seconds;
  }
  if (!make_file(path, true)) return std::unexpected(last_error(path));
  {
    Child writer([&](const auto&) {
      return time_appends(path, OpenMode::kSwmrWrite, std::chrono::milliseconds(20)) ? "+" : "-";
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    Child one([&](const auto& say) { return follows(path, say); });
    Child other([&](const auto& say) { return follows(path, say); });
    made.followed = one.hear() == "+" && other.hear() == "+" && writer.hear() == "+";
  }
  if (!make_file(path, false)) return std::unexpected(last_error(path));
  Child old([&](const auto&) {
    const FileHandle file{H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT)};
    const bool started = file && H5Fstart_swmr_write(file.get()) >= 0;
    return started ? std::string("+") : "-" + one_line(last_error("").cause);
  });
  made.refusal = old.hear();
  made.unchecksummed_refused = made.refusal.starts_with("-");
  if (!made.refusal.empty()) made.refusal.erase(0, 1);
  return made;
}

}  // namespace hepcheck::hep001::libhdf5
