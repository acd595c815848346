// Preloaded into a program: records its file operations, in order (log.h defines the format).
//
// There are two layers. A crash interrupts file operations (writes, truncations, names, syncs).
// Calls of the HDF5 library show the intention of the program; they are recorded if the program
// calls a shared libhdf5. Recorded files:
//   HEPCHECK_RECORD_FOLDER=/a/folder/    all files in it
//   HEPCHECK_RECORD_FILES=*.h5:*.hdf5    files whose path or name matches a pattern, and files with
//                                        the HDF5 signature when they are opened
// Not recorded: writes through C streams (fwrite) and io_uring. The log is then inconsistent with
// the file.
//
// The recorder can also inject faults, into operation number N, counted from 1:
//   HEPCHECK_RECORD_FAULT=enospc@N, eio@N   it fails; with a + after it, all later ones fail, too
//                        =short@N           a write writes half of its bytes
//                        =kill@N, stop@N    the process is killed or stopped before it
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <link.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "log.h"

enum { kMostFiles = 4096 };
static uint64_t tracked[kMostFiles];  // the inode of a file that is written to; 0: not a recorded file

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int log_file(void) {
  static int fd = -2;
  if (fd == -2) fd = open_trace_log(REAL(open));
  return fd;
}

static void record(char kind, uint64_t file, uint64_t position, const void* data, uint64_t length) {
  append_record(log_file(), REAL(writev), kind, kNoMemoryKind, file, position, data, length);
}

// For the file driver, which knows the purpose of a write before it happens.
__attribute__((visibility("default"))) void hepcheck_trace_announce(unsigned char memory, int fd,
                                                                    uint64_t address,
                                                                    uint64_t size);

static uint64_t tracked_inode(int fd) { return fd >= 0 && fd < kMostFiles ? tracked[fd] : 0; }

// --- harm

// The fate of the next operation: 0 means that it is executed, otherwise it fails with this error;
// kShort: it is executed partially.
enum { kShort = -1 };
static int fault(void) {
  static int counted;
  const char* wanted = getenv("HEPCHECK_RECORD_FAULT");
  const char* at = wanted ? strchr(wanted, '@') : NULL;
  if (!at) return 0;
  char* end;
  const long number = strtol(at + 1, &end, 10);
  ++counted;
  if (counted != number && !(*end == '+' && counted > number)) return 0;
  if (strncmp(wanted, "kill", 4) == 0) raise(SIGKILL);
  if (strncmp(wanted, "stop", 4) == 0) return raise(SIGSTOP);
  return strncmp(wanted, "short", 5) == 0 ? kShort : strncmp(wanted, "eio", 3) == 0 ? EIO : ENOSPC;
}

// Whether an operation on a recorded file has to fail.
static int fails(int ours) {
  const int error = ours ? fault() : 0;
  if (error > 0) errno = error;
  return error > 0;
}

// The number of bytes of a write to execute; 0: it fails.
static size_t allowed(int fd, size_t n) {
  const int error = n > 0 && tracked_inode(fd) ? fault() : 0;
  if (error > 0) errno = error;
  return error > 0 ? 0 : error == kShort && n > 1 ? n / 2 : n;
}

// --- names

static const char* recorded_folder(void) { return getenv("HEPCHECK_RECORD_FOLDER"); }

static int fits_a_pattern(const char* path) {
  const char* patterns = getenv("HEPCHECK_RECORD_FILES");
  const char* base = strrchr(path, '/');
  while (patterns && *patterns) {
    char pattern[256];
    const size_t n = strcspn(patterns, ":");
    snprintf(pattern, sizeof pattern, "%.*s", (int)n, patterns);
    if (fnmatch(pattern, path, 0) == 0 || fnmatch(pattern, base ? base + 1 : path, 0) == 0)
      return 1;
    patterns += n + (patterns[n] == ':');
  }
  return 0;
}

// The name of a file with this absolute path in the log: the part relative to the recorded
// directory, which ends in a slash; NULL if it is not recorded.
static const char* within(const char* path) {
  const char* folder = recorded_folder();
  if (!folder) return fits_a_pattern(path) ? path : NULL;
  const size_t prefix = strlen(folder);
  if (strncmp(path, folder, prefix) == 0) return path + prefix;
  return strlen(path) == prefix - 1 && strncmp(path, folder, prefix - 1) == 0 ? "" : NULL;
}

// The same for an open file or directory.
static const char* name_of_fd(int fd, char path[PATH_MAX]) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t n = readlink(link, path, PATH_MAX - 1);
  if (n < 0) return NULL;
  path[n] = 0;
  return within(path);
}

static int has_signature(int fd) {
  char first[8];
  return !recorded_folder() && pread(fd, first, 8, 0) == 8 &&
         memcmp(first, "\x89HDF\r\n\x1a\n", 8) == 0;
}

// The same for a name in an open directory, or AT_FDCWD. The name itself may be a link.
static const char* name_at(int folder, const char* name, char path[PATH_MAX]) {
  char joined[2 * PATH_MAX], parent[2 * PATH_MAX], real[PATH_MAX];
  if (!recorded_folder() && !getenv("HEPCHECK_RECORD_FILES")) return NULL;
  if (name[0] == '/' || folder == AT_FDCWD) {
    snprintf(joined, sizeof joined, "%s", name);
  } else {
    char at[PATH_MAX];
    if (!name_of_fd(folder, at)) return NULL;
    snprintf(joined, sizeof joined, "%s/%s", at, name);
  }
  char* last = strrchr(joined, '/');
  if (last) *last = 0;
  snprintf(parent, sizeof parent, "%s", !last ? "." : last == joined ? "/" : joined);
  const int kept = errno;
  const char* found = realpath(parent, real);
  errno = kept;
  if (!found) return NULL;
  const int n = snprintf(path, PATH_MAX, "%s/%s", real, last ? last + 1 : joined);
  return n < PATH_MAX ? within(path) : NULL;
}

static uint64_t inode_at(int folder, const char* name) {
  struct stat status;
  const int kept = errno;
  const int found = fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0;
  errno = kept;
  return found ? status.st_ino : 0;
}

static void record_name(char kind, uint64_t file, const char* name) {
  record(kind, file, 0, name, strlen(name));
}
static void record_names(char kind, uint64_t file, const char* from, const char* to) {
  char both[2 * PATH_MAX];
  const int n = snprintf(both, sizeof both, "%s%c%s", from, 0, to);
  record(kind, file, 0, both, (uint64_t)n);
}

// --- opening

// Saves the original bytes of a file, once per process.
static void record_before(int fd, const struct stat* status) {
  static uint64_t known[kMostFiles];
  static int count;
  for (int i = 0; i < count; ++i)
    if (known[i] == status->st_ino) return;
  if (count < kMostFiles) known[count++] = status->st_ino;
  const uint64_t size = (uint64_t)status->st_size;
  record('B', status->st_ino, size, "", 0);
  static char piece[1 << 16];
  static const char zeros[1 << 16];
  for (uint64_t at = 0; at < size;) {
    const ssize_t got = pread(fd, piece, sizeof piece, (off_t)at);
    if (got <= 0) {
      const char* why = "its original contents cannot be read";
      record('X', status->st_ino, at, why, strlen(why));
      return;
    }
    if (memcmp(piece, zeros, (size_t)got) != 0)
      record('I', status->st_ino, at, piece, (uint64_t)got);
    at += (uint64_t)got;
  }
}

// Opening a FIFO would wait for its writers, or wake them up.
static void record_before_by_name(int folder, const char* name) {
  const int kept = errno;
  struct stat status;
  const int regular = fstatat(folder, name, &status, 0) == 0 && S_ISREG(status.st_mode);
  const int fd = regular ? REAL(openat)(folder, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1;
  if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) record_before(fd, &status);
  if (fd >= 0) REAL(close)(fd);
  errno = kept;
}

static int opened(int fd, int flags, int is_new) {
  if (fd < 0 || fd >= kMostFiles) return fd;
  const int kept = errno;
  struct stat status;
  char path[PATH_MAX];
  tracked[fd] = 0;
  if ((flags & O_ACCMODE) == O_RDONLY) return fd;
  const char* name = name_of_fd(fd, path);
  if (!name && has_signature(fd)) name = path;
  if (name && fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) {
    tracked[fd] = status.st_ino;
    // A write-only file is read by its name.
    if (!is_new && (flags & O_ACCMODE) == O_RDWR) record_before(fd, &status);
    if (!is_new && (flags & O_ACCMODE) == O_WRONLY) record_before_by_name(AT_FDCWD, path);
    record_name(is_new ? 'N' : 'O', tracked[fd], name);
    if ((flags & O_TRUNC) && !is_new) record('T', tracked[fd], 0, "", 0);
  }
  errno = kept;
  return fd;
}

// Whether opening it creates a new recorded file; -1 if that has to fail.
static int makes_file(int folder, const char* name, int flags) {
  char path[PATH_MAX];
  if ((flags & O_ACCMODE) == O_RDONLY || !(flags & (O_CREAT | O_TRUNC))) return 0;
  const int ours = name_at(folder, name, path) != NULL, exists = inode_at(folder, name) != 0;
  if (ours && exists && (flags & O_TRUNC)) record_before_by_name(folder, name);
  const int is_new = ours && !exists && (flags & O_CREAT);
  return fails(is_new) ? -1 : is_new;
}

#define OPENED(folder, path, flags, call)                   \
  const int is_new = makes_file((folder), (path), (flags)); \
  return is_new < 0 ? -1 : opened((call), (flags), is_new);

#define MODE(flags, mode)                                                 \
  va_list rest;                                                           \
  va_start(rest, flags);                                                  \
  const int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0; \
  va_end(rest);

int open(const char* path, int flags, ...) {
  MODE(flags, mode)
  OPENED(AT_FDCWD, path, flags, REAL(open)(path, flags, mode))
}
int open64(const char* path, int flags, ...) {
  MODE(flags, mode)
  OPENED(AT_FDCWD, path, flags, REAL(open64)(path, flags, mode))
}
int openat(int folder, const char* path, int flags, ...) {
  MODE(flags, mode)
  OPENED(folder, path, flags, REAL(openat)(folder, path, flags, mode))
}
int openat64(int folder, const char* path, int flags, ...) {
  MODE(flags, mode)
  OPENED(folder, path, flags, REAL(openat64)(folder, path, flags, mode))
}
int creat(const char* path, mode_t mode) {
  OPENED(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, REAL(creat)(path, mode))
}
int creat64(const char* path, mode_t mode) {
  OPENED(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, REAL(creat64)(path, mode))
}
int close(int fd) {
  const uint64_t file = tracked_inode(fd);
  if (fd >= 0 && fd < kMostFiles) tracked[fd] = 0;
  const int result = REAL(close)(fd);
  if (file) record('C', file, 0, "", 0);
  return result;
}

// Another descriptor of the same file.
static int also(int old, int made) {
  if (made >= 0 && made < kMostFiles) tracked[made] = tracked_inode(old);
  return made;
}
int dup(int fd) { return also(fd, REAL(dup)(fd)); }
int dup2(int fd, int other) { return also(fd, REAL(dup2)(fd, other)); }
int dup3(int fd, int other, int flags) { return also(fd, REAL(dup3)(fd, other, flags)); }
int fcntl(int fd, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void* argument = va_arg(rest, void*);
  va_end(rest);
  const int result = REAL(fcntl)(fd, command, argument);
  return command == F_DUPFD || command == F_DUPFD_CLOEXEC ? also(fd, result) : result;
}
int fcntl64(int fd, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void* argument = va_arg(rest, void*);
  va_end(rest);
  const int result = REAL(fcntl64)(fd, command, argument);
  return command == F_DUPFD || command == F_DUPFD_CLOEXEC ? also(fd, result) : result;
}

// --- contents

void hepcheck_trace_announce(unsigned char memory, int fd, uint64_t address, uint64_t size) {
  if (tracked_inode(fd))
    append_record(log_file(), REAL(writev), 'K', memory, tracked_inode(fd), address, &size, 8);
}

static ssize_t wrote(int fd, const void* data, ssize_t n, uint64_t position) {
  if (n > 0 && tracked_inode(fd)) record('W', tracked_inode(fd), position, data, (uint64_t)n);
  return n;
}
ssize_t pwrite(int fd, const void* data, size_t n, off_t at) {
  const size_t some = allowed(fd, n);
  if (n > 0 && some == 0) return -1;
  return wrote(fd, data, REAL(pwrite)(fd, data, some, at), (uint64_t)at);
}
ssize_t pwrite64(int fd, const void* data, size_t n, off64_t at) {
  const size_t some = allowed(fd, n);
  if (n > 0 && some == 0) return -1;
  return wrote(fd, data, REAL(pwrite64)(fd, data, some, at), (uint64_t)at);
}
ssize_t write(int fd, const void* data, size_t n) {
  const size_t some = allowed(fd, n);
  if (n > 0 && some == 0) return -1;
  const ssize_t done = REAL(write)(fd, data, some);
  if (done <= 0 || !tracked_inode(fd)) return done;
  return wrote(fd, data, done, (uint64_t)(lseek(fd, 0, SEEK_CUR) - done));
}
static void wrote_parts(int fd, const struct iovec* parts, int count, ssize_t n, uint64_t at) {
  for (int i = 0; i < count && n > 0; ++i) {
    const ssize_t part = (ssize_t)parts[i].iov_len < n ? (ssize_t)parts[i].iov_len : n;
    wrote(fd, parts[i].iov_base, part, at);
    at += (uint64_t)part;
    n -= part;
  }
}
ssize_t writev(int fd, const struct iovec* parts, int count) {
  if (fails(tracked_inode(fd) != 0)) return -1;
  const ssize_t n = REAL(writev)(fd, parts, count);
  if (n > 0 && tracked_inode(fd))
    wrote_parts(fd, parts, count, n, (uint64_t)(lseek(fd, 0, SEEK_CUR) - n));
  return n;
}
ssize_t pwritev(int fd, const struct iovec* parts, int count, off_t at) {
  if (fails(tracked_inode(fd) != 0)) return -1;
  const ssize_t n = REAL(pwritev)(fd, parts, count, at);
  if (tracked_inode(fd)) wrote_parts(fd, parts, count, n, (uint64_t)at);
  return n;
}
// The copied bytes are read from the source.
ssize_t copy_file_range(int from, off64_t* source, int to, off64_t* target, size_t n,
                        unsigned flags) {
  const off64_t at = source ? *source : lseek(from, 0, SEEK_CUR);
  const off64_t goal = target ? *target : lseek(to, 0, SEEK_CUR);
  const size_t some = allowed(to, n);
  if (n > 0 && some == 0) return -1;
  const ssize_t done = REAL(copy_file_range)(from, source, to, target, some, flags);
  static char piece[1 << 16];
  for (ssize_t i = 0; tracked_inode(to) && i < done;) {
    const size_t left = (size_t)(done - i);
    const ssize_t got = pread(from, piece, left < sizeof piece ? left : sizeof piece, at + i);
    if (got <= 0) break;
    wrote(to, piece, got, (uint64_t)(goal + i));
    i += got;
  }
  return done;
}

static int truncated(int fd, int result, uint64_t size) {
  if (result == 0 && tracked_inode(fd)) record('T', tracked_inode(fd), size, "", 0);
  return result;
}
int ftruncate(int fd, off_t size) {
  if (fails(tracked_inode(fd) != 0)) return -1;
  return truncated(fd, REAL(ftruncate)(fd, size), (uint64_t)size);
}
int ftruncate64(int fd, off64_t size) {
  if (fails(tracked_inode(fd) != 0)) return -1;
  return truncated(fd, REAL(ftruncate64)(fd, size), (uint64_t)size);
}

// Space that is allocated beyond the end reads as zeros; other operations of fallocate are not
// recorded.
static int allocated(int fd, int result, int mode, uint64_t end) {
  struct stat status;
  if (result != 0 || !tracked_inode(fd)) return result;
  const int kept = errno;
  if (mode != 0 && mode != FALLOC_FL_KEEP_SIZE) {
    const char* what = "fallocate changed its contents";
    record('X', tracked_inode(fd), 0, what, strlen(what));
  } else if (mode == 0 && fstat(fd, &status) == 0 && (uint64_t)status.st_size == end) {
    record('T', tracked_inode(fd), end, "", 0);
  }
  errno = kept;
  return result;
}
int fallocate(int fd, int mode, off_t at, off_t n) {
  return allocated(fd, REAL(fallocate)(fd, mode, at, n), mode, (uint64_t)(at + n));
}
int fallocate64(int fd, int mode, off64_t at, off64_t n) {
  return allocated(fd, REAL(fallocate64)(fd, mode, at, n), mode, (uint64_t)(at + n));
}
int posix_fallocate(int fd, off_t at, off_t n) {
  return allocated(fd, REAL(posix_fallocate)(fd, at, n), 0, (uint64_t)(at + n));
}
int posix_fallocate64(int fd, off64_t at, off64_t n) {
  return allocated(fd, REAL(posix_fallocate64)(fd, at, n), 0, (uint64_t)(at + n));
}

static void* mapped(void* at, int protection, int flags, int fd) {
  if (at != MAP_FAILED && (protection & PROT_WRITE) && (flags & MAP_SHARED) && tracked_inode(fd))
    record('M', tracked_inode(fd), 0, "", 0);
  return at;
}
void* mmap(void* at, size_t n, int protection, int flags, int fd, off_t offset) {
  return mapped(REAL(mmap)(at, n, protection, flags, fd, offset), protection, flags, fd);
}
void* mmap64(void* at, size_t n, int protection, int flags, int fd, off64_t offset) {
  return mapped(REAL(mmap64)(at, n, protection, flags, fd, offset), protection, flags, fd);
}

// --- what becomes durable

static int synced(int fd, int (*sync)(int)) {
  char path[PATH_MAX];
  struct stat status;
  const int kept = errno;
  const char* name = name_of_fd(fd, path);
  const int ours = name && fstat(fd, &status) == 0;
  errno = kept;
  if (fails(ours)) return -1;
  const int result = sync(fd);
  if (result == 0 && ours && S_ISDIR(status.st_mode))
    record_name('D', status.st_ino, name);
  else if (result == 0 && ours)
    record('S', status.st_ino, 0, "", 0);
  return result;
}
int fsync(int fd) { return synced(fd, REAL(fsync)); }
int fdatasync(int fd) { return synced(fd, REAL(fdatasync)); }

// --- names of files

static int renamed(int from_folder, const char* from, int to_folder, const char* to,
                   unsigned flags) {
  char from_path[PATH_MAX], to_path[PATH_MAX];
  const char* old_name = name_at(from_folder, from, from_path);
  const char* new_name = name_at(to_folder, to, to_path);
  const uint64_t file = inode_at(from_folder, from);
  if (fails(old_name || new_name)) return -1;
  const int result = flags ? REAL(renameat2)(from_folder, from, to_folder, to, flags)
                           : REAL(renameat)(from_folder, from, to_folder, to);
  if (result != 0) return result;
  if (old_name && new_name)
    record_names('R', file, old_name, new_name);
  else if (old_name)
    record_name('U', file, old_name);
  return result;
}
int rename(const char* from, const char* to) { return renamed(AT_FDCWD, from, AT_FDCWD, to, 0); }
int renameat(int from_folder, const char* from, int to_folder, const char* to) {
  return renamed(from_folder, from, to_folder, to, 0);
}
int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  return renamed(from_folder, from, to_folder, to, flags);
}
int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) {
  char from_path[PATH_MAX], to_path[PATH_MAX];
  const char* old_name = name_at(from_folder, from, from_path);
  const char* new_name = name_at(to_folder, to, to_path);
  if (fails(new_name != NULL)) return -1;
  const int result = REAL(linkat)(from_folder, from, to_folder, to, flags);
  if (result == 0 && new_name)
    record_names('L', inode_at(to_folder, to), old_name ? old_name : "", new_name);
  return result;
}
int link(const char* from, const char* to) { return linkat(AT_FDCWD, from, AT_FDCWD, to, 0); }
int unlinkat(int folder, const char* name, int flags) {
  char path[PATH_MAX];
  const char* ours = name_at(folder, name, path);
  const uint64_t file = inode_at(folder, name);
  const int result = REAL(unlinkat)(folder, name, flags);
  if (result == 0 && ours) record_name('U', file, ours);
  return result;
}
int unlink(const char* name) { return unlinkat(AT_FDCWD, name, 0); }
int remove(const char* name) {
  const int result = unlinkat(AT_FDCWD, name, 0);
  return result != 0 && errno == EISDIR ? rmdir(name) : result;
}

// The HDF5 library. The recorder uses no header of it and works with any version.

typedef int64_t hid_t;
typedef int herr_t;
typedef unsigned long long hsize_t;

static int note_hdf5(struct dl_phdr_info* object, size_t size, void* found) {
  (void)size;
  const char* name = strrchr(object->dlpi_name, '/');
  if (!name || !strstr(name, "hdf5") || strstr(name, "_hl") || !strstr(name, "lib")) return 0;
  *(const char**)found = object->dlpi_name;
  return 1;
}

// The function of the library, even if it was loaded outside the scope of RTLD_NEXT.
static void* hdf5(const char* name) {
  void* function = dlsym(RTLD_NEXT, name);
  if (function) return function;
  static void* library;
  if (!library) {
    const char* path = NULL;
    dl_iterate_phdr(note_hdf5, &path);
    if (path) library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
  }
  return library ? dlsym(library, name) : NULL;
}
#define H5(result, name, ...) ((result(*)(__VA_ARGS__))hdf5(#name))

// The inode of the file that contains an object, as the library reports it; 0 if unknown.
static uint64_t file_of(hid_t object) {
  char name[PATH_MAX] = "";
  struct stat status;
  ssize_t (*get_name)(hid_t, char*, size_t) = (ssize_t(*)(hid_t, char*, size_t))hdf5("H5Fget_name");
  const int kept = errno;
  const int found = get_name && get_name(object, name, sizeof name) > 0 && stat(name, &status) == 0;
  errno = kept;
  return found ? status.st_ino : 0;
}

static void note(uint64_t file, const char* format, ...) {
  char text[2048];
  va_list rest;
  va_start(rest, format);
  const int n = vsnprintf(text, sizeof text, format, rest);
  va_end(rest);
  if (n > 0)
    record('A', file, 0, text, (uint64_t)(n < (int)sizeof text ? n : (int)sizeof text - 1));
}

static const char* path_of(hid_t object, char* into, size_t size) {
  into[0] = 0;
  H5(ssize_t, H5Iget_name, hid_t, char*, size_t)(object, into, size);
  return into;
}

// The path of the object with this name in `at`: "." is the object itself, and a name may be a
// path.
static const char* path_below(hid_t at, const char* name, char* into, size_t size) {
  if (name[0] == '/') {
    snprintf(into, size, "%s", name);
    return into;
  }
  path_of(at, into, size);
  if (strcmp(name, ".") == 0) return into;
  const size_t n = strcmp(into, "/") == 0 ? 0 : strlen(into);
  snprintf(into + n, size - n, "/%s", name);
  return into;
}

// An integer of at most 8 bytes in decimal, such as tokens and counts; "-" otherwise.
static const char* number_in(hid_t type, hid_t attribute, const void* data, char text[32]) {
  unsigned char bytes[8];
  uint64_t number = 0;
  const size_t size = H5(size_t, H5Tget_size, hid_t)(type);
  const hid_t space = H5(hid_t, H5Aget_space, hid_t)(attribute);
  const long long count = space < 0 ? 0 : H5(long long, H5Sget_simple_extent_npoints, hid_t)(space);
  if (space >= 0) H5(herr_t, H5Sclose, hid_t)(space);
  if (H5(int, H5Tget_class, hid_t)(type) != 0 || size == 0 || size > 8 || count != 1 || !data)
    return "-";
  const int big = H5(int, H5Tget_order, hid_t)(type) == 1;
  memcpy(bytes, data, size);
  for (size_t i = 0; i < size; ++i) number = number << 8 | bytes[big ? i : size - 1 - i];
  snprintf(text, 32, "%llu", (unsigned long long)number);
  return text;
}

// The operation on this attribute of the named object in `at`, and the new value.
static void note_attribute(const char* verb, const char* name, const char* value, hid_t at,
                           const char* object) {
  char path[1024];
  note(file_of(at), "attribute-%s %s %s %s", verb, name, value,
       path_below(at, object, path, sizeof path));
}

// "14x6"
static const char* sizes(int rank, const hsize_t* size, char into[512]) {
  int n = snprintf(into, 512, "%lld", rank > 0 ? (long long)size[0] : 0);
  for (int i = 1; i < rank && n < 480; ++i)
    n += snprintf(into + n, (size_t)(512 - n), "x%lld", (long long)size[i]);
  return into;
}

// A call whose first argument is an object and whose second a name.
#define BY_NAME(result, name, verb, parameters, arguments, object, text)            \
  result name parameters {                                                          \
    char path[1024];                                                                \
    note(file_of(object), verb " %s", path_below(object, text, path, sizeof path)); \
    return ((result(*) parameters)hdf5(#name))arguments;                            \
  }
BY_NAME(hid_t, H5Gcreate2, "create", (hid_t at, const char* name, hid_t a, hid_t b, hid_t c),
        (at, name, a, b, c), at, name)
BY_NAME(hid_t, H5Dcreate2, "create",
        (hid_t at, const char* name, hid_t t, hid_t s, hid_t a, hid_t b, hid_t c),
        (at, name, t, s, a, b, c), at, name)
BY_NAME(herr_t, H5Tcommit2, "create",
        (hid_t at, const char* name, hid_t t, hid_t a, hid_t b, hid_t c), (at, name, t, a, b, c),
        at, name)
BY_NAME(herr_t, H5Olink, "link", (hid_t o, hid_t at, const char* name, hid_t a, hid_t b),
        (o, at, name, a, b), at, name)
BY_NAME(herr_t, H5Ocopy, "create",
        (hid_t from, const char* source, hid_t at, const char* name, hid_t a, hid_t b),
        (from, source, at, name, a, b), at, name)
BY_NAME(herr_t, H5Lcreate_hard, "link",
        (hid_t from, const char* source, hid_t at, const char* name, hid_t a, hid_t b),
        (from, source, at, name, a, b), at, name)
BY_NAME(herr_t, H5Lcreate_soft, "link",
        (const char* target, hid_t at, const char* name, hid_t a, hid_t b),
        (target, at, name, a, b), at, name)
BY_NAME(herr_t, H5Lcreate_external, "link",
        (const char* file, const char* target, hid_t at, const char* name, hid_t a, hid_t b),
        (file, target, at, name, a, b), at, name)
BY_NAME(herr_t, H5Lmove, "move",
        (hid_t from, const char* source, hid_t at, const char* name, hid_t a, hid_t b),
        (from, source, at, name, a, b), from, source)
BY_NAME(herr_t, H5Gunlink, "delete", (hid_t at, const char* name), (at, name), at, name)
BY_NAME(herr_t, H5Ldelete, "delete", (hid_t at, const char* name, hid_t list), (at, name, list), at,
        name)

herr_t H5Awrite(hid_t attribute, hid_t type, const void* data) {
  char name[256] = "", number[32];
  H5(ssize_t, H5Aget_name, hid_t, size_t, char*)(attribute, sizeof name, name);
  note_attribute("write", name, number_in(type, attribute, data, number), attribute, ".");
  return H5(herr_t, H5Awrite, hid_t, hid_t, const void*)(attribute, type, data);
}
hid_t H5Acreate2(hid_t at, const char* name, hid_t type, hid_t space, hid_t a, hid_t b) {
  note_attribute("create", name, "-", at, ".");
  return H5(hid_t, H5Acreate2, hid_t, const char*, hid_t, hid_t, hid_t, hid_t)(at, name, type,
                                                                               space, a, b);
}
hid_t H5Acreate_by_name(hid_t at, const char* object, const char* name, hid_t type, hid_t space,
                        hid_t a, hid_t b, hid_t c) {
  note_attribute("create", name, "-", at, object);
  return H5(hid_t, H5Acreate_by_name, hid_t, const char*, const char*, hid_t, hid_t, hid_t, hid_t,
            hid_t)(at, object, name, type, space, a, b, c);
}
herr_t H5Adelete(hid_t at, const char* name) {
  note_attribute("delete", name, "-", at, ".");
  return H5(herr_t, H5Adelete, hid_t, const char*)(at, name);
}
herr_t H5Adelete_by_name(hid_t at, const char* object, const char* name, hid_t a) {
  note_attribute("delete", name, "-", at, object);
  return H5(herr_t, H5Adelete_by_name, hid_t, const char*, const char*, hid_t)(at, object, name, a);
}
herr_t H5Arename(hid_t at, const char* from, const char* to) {
  note_attribute("delete", from, "-", at, ".");
  note_attribute("create", to, "-", at, ".");
  return H5(herr_t, H5Arename, hid_t, const char*, const char*)(at, from, to);
}
herr_t H5Arename_by_name(hid_t at, const char* object, const char* from, const char* to, hid_t a) {
  note_attribute("delete", from, "-", at, object);
  note_attribute("create", to, "-", at, object);
  return H5(herr_t, H5Arename_by_name, hid_t, const char*, const char*, const char*, hid_t)(
      at, object, from, to, a);
}
herr_t H5Dwrite(hid_t dataset, hid_t type, hid_t memory, hid_t space, hid_t list,
                const void* data) {
  char path[1024], first[512] = "0", last[512] = "-1";
  hsize_t start[32] = {0}, end[32] = {0};
  if (space != 0) {
    const int rank = H5(int, H5Sget_simple_extent_ndims, hid_t)(space);
    if (rank <= 32 &&
        H5(herr_t, H5Sget_select_bounds, hid_t, hsize_t*, hsize_t*)(space, start, end) >= 0) {
      sizes(rank, start, first);
      sizes(rank, end, last);
    }
  }
  note(file_of(dataset), "data-write %s %s %s", first, last, path_of(dataset, path, sizeof path));
  return H5(herr_t, H5Dwrite, hid_t, hid_t, hid_t, hid_t, hid_t, const void*)(dataset, type, memory,
                                                                              space, list, data);
}
herr_t H5Dwrite_chunk(hid_t dataset, hid_t list, uint32_t filters, const hsize_t* offset,
                      size_t size, const void* data) {
  char path[1024];
  note(file_of(dataset), "data-write %lld -1 %s", (long long)offset[0],
       path_of(dataset, path, sizeof path));
  return H5(herr_t, H5Dwrite_chunk, hid_t, hid_t, uint32_t, const hsize_t*, size_t, const void*)(
      dataset, list, filters, offset, size, data);
}
herr_t H5Dset_extent(hid_t dataset, const hsize_t size[]) {
  char path[1024], text[512];
  const hid_t space = H5(hid_t, H5Dget_space, hid_t)(dataset);
  const int rank = H5(int, H5Sget_simple_extent_ndims, hid_t)(space);
  H5(herr_t, H5Sclose, hid_t)(space);
  note(file_of(dataset), "extent %s %s", sizes(rank, size, text),
       path_of(dataset, path, sizeof path));
  return H5(herr_t, H5Dset_extent, hid_t, const hsize_t*)(dataset, size);
}

// --- what the library calls a barrier, told when it begins and when it is done

herr_t H5Fflush(hid_t object, int scope) {
  const uint64_t file = file_of(object);
  note(file, "flushing");
  const herr_t done = H5(herr_t, H5Fflush, hid_t, int)(object, scope);
  note(file, "flush");
  return done;
}
herr_t H5Dflush(hid_t dataset) {
  char path[1024];
  note(file_of(dataset), "flushing");
  const herr_t done = H5(herr_t, H5Dflush, hid_t)(dataset);
  note(file_of(dataset), "dataset-flush %s", path_of(dataset, path, sizeof path));
  return done;
}
herr_t H5Oflush(hid_t object) {
  char path[1024];
  note(file_of(object), "flushing");
  const herr_t done = H5(herr_t, H5Oflush, hid_t)(object);
  note(file_of(object), "object-flush %s", path_of(object, path, sizeof path));
  return done;
}
herr_t H5Gflush(hid_t object) {
  char path[1024];
  note(file_of(object), "flushing");
  const herr_t done = H5(herr_t, H5Gflush, hid_t)(object);
  note(file_of(object), "object-flush %s", path_of(object, path, sizeof path));
  return done;
}
herr_t H5Fclose(hid_t file) {
  const uint64_t inode = file_of(file);
  note(inode, "flushing");
  const herr_t done = H5(herr_t, H5Fclose, hid_t)(file);
  note(inode, "close");
  return done;
}
herr_t H5Fstart_swmr_write(hid_t file) {
  const uint64_t inode = file_of(file);
  note(inode, "swmr");
  const herr_t done = H5(herr_t, H5Fstart_swmr_write, hid_t)(file);
  if (done >= 0) note(inode, "swmr-started");
  return done;
}
hid_t H5Fopen(const char* name, unsigned flags, hid_t list) {
  struct stat status;
  const uint64_t inode = (flags & 0x20u) && stat(name, &status) == 0 ? status.st_ino : 0;
  if (flags & 0x20u) note(inode, "swmr");
  const hid_t file = H5(hid_t, H5Fopen, const char*, unsigned, hid_t)(name, flags, list);
  if ((flags & 0x20u) && file >= 0) note(inode, "swmr-started");
  return file;
}
