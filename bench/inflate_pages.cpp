// Reads and inflates pages of a file on one core, as fast as the library can: what a validator has
// to do at least. `inflate_pages FILE PAGES`, where PAGES has a line for each page.
#include <fcntl.h>
#include <unistd.h>
#include <zstd.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <vector>

int main(int count, char** words) {
  if (count != 3) return 2;
  const int file = open(words[1], O_RDONLY);
  std::ifstream pages(words[2]);
  if (file < 0 || !pages) return 3;
  ZSTD_DCtx* const context = ZSTD_createDCtx();
  std::vector<char> stored, plain;
  std::uint64_t offset = 0, size = 0, length = 0, total = 0;
  while (pages >> offset >> size >> length) {
    constexpr std::uint64_t kHeader = 9;  // of the only chunk
    stored.resize(size);
    plain.resize(length);
    if (pread(file, stored.data(), size, static_cast<off_t>(offset)) != static_cast<ssize_t>(size))
      return 3;
    total +=
        ZSTD_decompressDCtx(context, plain.data(), length, stored.data() + kHeader, size - kHeader);
  }
  std::printf("%llu\n", static_cast<unsigned long long>(total));
  ZSTD_freeDCtx(context);
  close(file);
  return 0;
}
