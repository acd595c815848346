#include "validator/isolate/sandbox.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <expected>
#include <vector>

#include "validator/descriptor.h"
#include "validator/machine.h"

namespace hepcheck::isolate {

namespace {

// The address sanitizer writes to standard error, which may be a file, and reserves terabytes that
// it never uses.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif
#else
constexpr bool kSanitized = false;
#endif

class Refusals {
 public:
  void add(std::string_view what, int error) {
    if (!text_.empty()) text_ += ", ";
    text_ += what;
    text_ += " (";
    text_ += std::strerror(error);
    text_ += ")";
  }
  std::string text() && { return std::move(text_); }

 private:
  std::string text_{};
};

// Standard streams are redirected to /dev/null, and everything else that the parent had open is
// closed.
void close_descriptors(std::span<const int> files, int pipe) {
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (kSanitized && standard == STDERR_FILENO) continue;
    if (std::ranges::contains(files, standard) || standard == pipe) continue;
    if (nowhere < 0)
      close(standard);
    else
      dup2(nowhere, standard);
  }
  std::vector<int> kept(files.begin(), files.end());
  kept.insert(kept.end(), {STDERR_FILENO, pipe});
  std::ranges::sort(kept);
  int next = 0;
  for (const int each : kept) {
    if (each < 0) continue;
    const int first = std::max(next, STDERR_FILENO + 1);
    if (each > first) close_range(static_cast<unsigned>(first), static_cast<unsigned>(each - 1), 0);
    next = each + 1;
  }
  close_range(static_cast<unsigned>(std::max(next, STDERR_FILENO + 1)), ~0u, 0);
}

// Environment variables may contain secrets, which must not be available to a worker or its report.
void forget_environment() {
  for (char** each = environ; each && *each; ++each) std::memset(*each, 0, std::strlen(*each));
  clearenv();
}

// A lower limit that the process inherited is kept: only a superuser could raise it.
void bound(Refusals& refusals, const char* what, __rlimit_resource resource, rlim_t soft,
           rlim_t hard) {
  rlimit limit{.rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY};
  if (getrlimit(resource, &limit) == 0) {
    limit.rlim_max = std::min(limit.rlim_max, hard);
    limit.rlim_cur = std::min(limit.rlim_max, soft);
  }
  if (setrlimit(resource, &limit) != 0) refusals.add(what, errno);
}

void bound_resources(Refusals& refusals, const Bounds& bounds) {
  // The first signal, SIGXCPU, identifies the cause; SIGKILL follows a second later.
  bound(refusals, "a limit on CPU time", RLIMIT_CPU, bounds.cpu_seconds, bounds.cpu_seconds + 1);
  if (!kSanitized) bound(refusals, "a limit on memory", RLIMIT_DATA, bounds.memory, bounds.memory);
  // Mappings that are only read do not count as data, but their page tables take memory.
  constexpr rlim_t kReserved = rlim_t{64} << 30;
  if (!kSanitized)
    bound(refusals, "a limit on addresses", RLIMIT_AS, bounds.memory + kReserved,
          bounds.memory + kReserved);
  // The stack grows beyond the limit on memory.
  constexpr rlim_t kStack = rlim_t{64} << 20;
  bound(refusals, "a limit on the stack", RLIMIT_STACK, kStack, kStack);
  const rlim_t most = bounds.output < 0 ? 0 : bounds.output_size;
  if (!kSanitized) bound(refusals, "a limit on file size", RLIMIT_FSIZE, most, most);
  bound(refusals, "a limit on open files", RLIMIT_NOFILE, 0, 0);
  bound(refusals, "a ban on core dumps", RLIMIT_CORE, 0, 0);
}

// No path can be opened, created, changed or executed, no TCP port used, and no outside process
// signalled. A kernel without Landlock is not reported: seccomp alone prohibits all of this as
// well.
void forbid_paths(Refusals& refusals) {
  const long version =
      syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 1) return;
  // Access rights by the version of the interface that introduced them; an older kernel rejects
  // newer bits.
  constexpr std::array<std::uint64_t, 5> kPathRights = {(1u << 13) - 1, 1u << 13, 1u << 14, 0,
                                                        1u << 15};
  struct {
    std::uint64_t paths, network, scopes;
  } rules{};
  for (std::size_t i = 0; i < kPathRights.size() && static_cast<long>(i) < version; ++i)
    rules.paths |= kPathRights[i];
  if (version >= 4) rules.network = 3;  // bind and connect
  if (version >= 6) rules.scopes = 3;   // abstract sockets and signals
  const std::size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  const long ruleset = syscall(SYS_landlock_create_ruleset, &rules, size, 0);
  if (ruleset < 0 || syscall(SYS_landlock_restrict_self, ruleset, 0) != 0)
    refusals.add("Landlock", errno);
  if (ruleset >= 0) close(static_cast<int>(ruleset));
}

// Values that differ between workers are placeholders in the filter, unique numbers, so the filter
// is compiled only once.
constexpr std::uint32_t kThePipe = 0x7E570001, kTheProcess = 0x7E570002;
// Remains as it is if there is none: no descriptor has this number.
constexpr std::uint32_t kTheOutput = 0x7E570003;

// The system calls that reading one file, decoding and threads need. All others fail with EPERM, so
// the library reports an ordinary error.
class Filter {
 public:
  explicit Filter(bool threads) : context_(seccomp_init(SCMP_ACT_ERRNO(EPERM))) {
    if (!context_) {
      trouble_ = ENOMEM;
      return;
    }
    for (const int call : {SCMP_SYS(read),
                           SCMP_SYS(pread64),
                           SCMP_SYS(readv),
                           SCMP_SYS(preadv),
                           SCMP_SYS(lseek),
                           SCMP_SYS(fstat),
                           SCMP_SYS(close),
                           SCMP_SYS(munmap),
                           SCMP_SYS(mremap),
                           SCMP_SYS(madvise),
                           SCMP_SYS(brk),
                           SCMP_SYS(futex),
                           SCMP_SYS(set_robust_list),
                           SCMP_SYS(rseq),
                           SCMP_SYS(sched_yield),
                           SCMP_SYS(sched_getaffinity),
                           SCMP_SYS(gettid),
                           SCMP_SYS(getpid),
                           SCMP_SYS(rt_sigaction),
                           SCMP_SYS(rt_sigprocmask),
                           SCMP_SYS(rt_sigreturn),
                           SCMP_SYS(sigaltstack),
                           SCMP_SYS(clock_gettime),
                           SCMP_SYS(gettimeofday),
                           SCMP_SYS(time),
                           SCMP_SYS(nanosleep),
                           SCMP_SYS(clock_nanosleep),
                           SCMP_SYS(restart_syscall),
                           SCMP_SYS(getrandom),
                           SCMP_SYS(sysinfo),
                           SCMP_SYS(getrusage),
                           SCMP_SYS(exit),
                           SCMP_SYS(exit_group)})
      allow(call);
    // HDF5 2 uses it when it opens a relative path, and it must not fail: Debian builds HDF5 with
    // assertions.
    allow(SCMP_SYS(getcwd));
    allow_writing(kThePipe);
    if (kSanitized) allow_writing(STDERR_FILENO);
    for (const int call : {SCMP_SYS(pwrite64), SCMP_SYS(ftruncate), SCMP_SYS(fsync)})
      allow(call, SCMP_A0(SCMP_CMP_EQ, kTheOutput));
    // Memory, but neither executable memory nor memory that another process could see, and only of
    // the kinds that count towards the limit: a mapping that grows downward does not.
    constexpr scmp_datum_t kKinds =
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK | MAP_FIXED;
    constexpr scmp_datum_t kOthers = ~kKinds & 0xFFFFFFFF;
    allow(SCMP_SYS(mmap), SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0),
          SCMP_A3(SCMP_CMP_MASKED_EQ, kOthers, 0));
    allow(SCMP_SYS(mprotect), SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
    // Threads, but not processes. clone3 hides its flags from the filter; if it fails, clone is
    // used.
    if (threads) allow(SCMP_SYS(clone), SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD));
    add(SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3));
    // Signals to the process itself (abort), and its own limits (read-only).
    allow(SCMP_SYS(tgkill), SCMP_A0(SCMP_CMP_EQ, kTheProcess));
    allow(SCMP_SYS(prlimit64), SCMP_A0(SCMP_CMP_EQ, 0), SCMP_A2(SCMP_CMP_EQ, 0));
  }
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;
  ~Filter() {
    if (context_) seccomp_release(context_);
  }

  // The filter in the form of the kernel, or the error number.
  std::expected<std::vector<sock_filter>, int> program() const {
    if (trouble_ != 0) return std::unexpected(trouble_);
    const Descriptor file{memfd_create("filter", MFD_CLOEXEC)};
    if (!file) return std::unexpected(errno);
    if (const int status = seccomp_export_bpf(context_, file.get()); status < 0)
      return std::unexpected(-status);
    const off_t bytes = lseek(file.get(), 0, SEEK_END);
    std::vector<sock_filter> program(static_cast<std::size_t>(bytes) / sizeof(sock_filter));
    if (program.empty() ||
        pread(file.get(), program.data(), static_cast<std::size_t>(bytes), 0) != bytes)
      return std::unexpected(EIO);
    return program;
  }

 private:
  template <class... Conditions>
  void add(std::uint32_t action, int call, Conditions... conditions) {
    const int status =
        seccomp_rule_add(context_, action, call, sizeof...(conditions), conditions...);
    if (status < 0 && trouble_ == 0) trouble_ = -status;
  }
  template <class... Conditions>
  void allow(int call, Conditions... conditions) {
    add(SCMP_ACT_ALLOW, call, conditions...);
  }
  void allow_writing(scmp_datum_t number) {
    allow(SCMP_SYS(write), SCMP_A0(SCMP_CMP_EQ, number));
    allow(SCMP_SYS(writev), SCMP_A0(SCMP_CMP_EQ, number));
  }

  scmp_filter_ctx context_;
  int trouble_ = 0;
};

const std::expected<std::vector<sock_filter>, int>& filter_program(bool threads) {
  static const auto with = Filter(true).program();
  static const auto without = Filter(false).program();
  return threads ? with : without;
}

// Installs the filter in this process. Returns 0 or the error number.
int forbid_calls(int pipe, const Bounds& bounds) {
  const auto& prepared = filter_program(bounds.threads);
  if (!prepared) return prepared.error();
  std::vector<sock_filter> program = *prepared;
  for (sock_filter& step : program) {
    if (step.k == kThePipe) step.k = static_cast<std::uint32_t>(pipe);
    if (step.k == kTheProcess) step.k = static_cast<std::uint32_t>(getpid());
    if (step.k == kTheOutput && bounds.output >= 0)
      step.k = static_cast<std::uint32_t>(bounds.output);
  }
  const sock_fprog all{.len = static_cast<unsigned short>(program.size()),
                       .filter = program.data()};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all, 0, 0) == 0 ? 0 : errno;
}

}  // namespace

void get_ready() { filter_program(true); }

bool has_processes() { return true; }

std::string close_in(std::span<const int> files, int pipe, const Bounds& bounds) {
  Refusals refusals;
  close_descriptors(files, pipe);
  forget_environment();
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) refusals.add("no new privileges", errno);
  forbid_paths(refusals);
  bound_resources(refusals, bounds);  // after Landlock, which temporarily needs a descriptor
  if (const int trouble = forbid_calls(pipe, bounds); trouble != 0)
    refusals.add("seccomp", trouble);
  return std::move(refusals).text();
}

}  // namespace hepcheck::isolate
