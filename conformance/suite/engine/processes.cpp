#include "conformance/suite/engine/processes.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string>
#include <thread>

namespace hepcheck::suite {

namespace {

// "PID (NAME) STATE PARENT GROUP ...", where the name may contain anything. Nothing if it has
// ended.
std::optional<Process> process_of(const char* id) {
  char buffer[1024];
  const int file = ::open((std::string("/proc/") + id + "/stat").c_str(), O_RDONLY | O_CLOEXEC);
  const ssize_t size = file < 0 ? 0 : ::read(file, buffer, sizeof buffer);
  if (file >= 0) ::close(file);
  const std::string text(buffer, size > 0 ? static_cast<std::size_t>(size) : 0);
  const std::size_t name_ends = text.rfind(')');
  if (name_ends == std::string::npos) return std::nullopt;
  std::istringstream words(text.substr(name_ends + 1));
  Process process{.id = static_cast<pid_t>(std::atol(id))};
  std::string skipped;
  words >> skipped >> process.parent >> process.group;
  for (int field = 6; field < 24; ++field) words >> skipped;
  std::uint64_t pages = 0;  // field 24 of proc(5)
  if (!(words >> pages)) return std::nullopt;
  static const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  process.memory = pages * page;
  return process;
}

}  // namespace

std::vector<Process> processes() {
  std::vector<Process> found;
  DIR* const folder = ::opendir("/proc");
  if (!folder) return found;
  while (const dirent* entry = ::readdir(folder))
    if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9')
      if (const std::optional<Process> process = process_of(entry->d_name))
        found.push_back(*process);
  ::closedir(folder);
  return found;
}

std::vector<Process> family_of(pid_t group) {
  std::vector<Process> others = processes(), family;
  std::set<pid_t> members;
  for (bool grown = true; grown;) {
    grown = false;
    std::erase_if(others, [&](const Process& process) {
      if (process.group != group && !members.contains(process.parent)) return false;
      members.insert(process.id);
      family.push_back(process);
      return grown = true;
    });
  }
  return family;
}

void adopt_orphans() { ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

void end_orphans(const std::set<pid_t>& own) {
  // An orphan that is killed may leave further orphans.
  for (int round = 0; round < 100; ++round) {
    bool any = false;
    for (const Process& process : processes()) {
      if (process.parent != ::getpid() || own.contains(process.id)) continue;
      any = true;
      ::kill(process.id, SIGKILL);
      ::waitpid(process.id, nullptr, WNOHANG);
    }
    if (!any) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

}  // namespace hepcheck::suite
