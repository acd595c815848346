// The drivers through which the library reads and changes files that are already open: every byte
// that it reads is the one that was written last, in pieces of any size and place.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <hdf5.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "validator/bytes.h"
#include "validator/descriptor.h"
#include "validator/formats/hep001/libhdf5/descriptor_driver.h"
#include "validator/formats/hep001/libhdf5/error.h"
#include "validator/rewrite.h"
#include "validator/testing/memory_file.h"

namespace hepcheck::hep001::libhdf5 {
namespace {

using Image = std::vector<std::byte>;

constexpr std::size_t kWindow = 16'384;  // of a file that is only read

Image random_image(std::mt19937_64& random, std::size_t size) {
  Image made(size);
  for (std::byte& each : made) each = static_cast<std::byte>(random());
  return made;
}

// A file as the library has it.
struct Opened {
  PropertyHandle access{H5Pcreate(H5P_FILE_ACCESS)};
  H5FD_t* file = nullptr;

  // `rewrite`: null for reading.
  Opened(int descriptor, Rewrite* rewrite) {
    EXPECT_TRUE(rewrite ? write_through(access.get(), *rewrite)
                        : read_from(access.get(), descriptor));
    file = H5FDopen("driver", rewrite ? H5F_ACC_RDWR : H5F_ACC_RDONLY, access.get(), HADDR_UNDEF);
    EXPECT_NE(file, nullptr);
    constexpr haddr_t kAll = haddr_t{1} << 40;
    EXPECT_GE(H5FDset_eoa(file, H5FD_MEM_DEFAULT, kAll), 0);
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  ~Opened() { H5FDclose(file); }

  // Empty if it is refused.
  Image read(H5FD_mem_t type, haddr_t at, std::size_t size) const {
    Image made(size, std::byte{0xa5});
    if (H5FDread(file, type, H5P_DEFAULT, at, size, made.data()) < 0) made.clear();
    H5Eclear2(H5E_DEFAULT);
    return made;
  }
};

// With zeros behind the end of the file.
Image part(const Image& image, std::size_t at, std::size_t size) {
  Image made(size);
  for (std::size_t i = 0; i < size && at + i < image.size(); ++i) made[i] = image[at + i];
  return made;
}

// Around the borders of windows, and up to a quarter of one, which is the largest piece that comes
// from a window.
haddr_t any_place(std::mt19937_64& random, std::size_t end) {
  if (random() % 2 == 0) return random() % end;
  const haddr_t border = (1 + random() % (end / kWindow)) * kWindow;
  return border - 40 + random() % 80;
}
std::size_t any_size(std::mt19937_64& random) {
  constexpr std::size_t kSizes[] = {1,       8,          40, 79, kWindow / 4, kWindow / 4 + 1,
                                    kWindow, 3 * kWindow};
  return kSizes[random() % std::size(kSizes)];
}

TEST(Drivers, ReadWhatIsInTheFile) {
  initialise(false);
  std::mt19937_64 random(1);
  // More windows than are kept, so that some share their place.
  const Image image = random_image(random, 300 * kWindow + 123);
  const Descriptor file = memory_file(image);
  const Opened opened(file.get(), nullptr);
  EXPECT_EQ(H5FDget_eof(opened.file, H5FD_MEM_DEFAULT), image.size());
  for (const haddr_t first : {haddr_t{0}, haddr_t{1}, haddr_t{257}, haddr_t{0}, haddr_t{256}})
    EXPECT_EQ(opened.read(H5FD_MEM_OHDR, first * kWindow + 5, 40),
              part(image, first * kWindow + 5, 40));
  for (int i = 0; i < 500; ++i) {
    const haddr_t at = any_place(random, image.size());
    const std::size_t size = any_size(random);
    const H5FD_mem_t type = random() % 4 == 0 ? H5FD_MEM_DRAW : H5FD_MEM_BTREE;
    ASSERT_EQ(opened.read(type, at, size), part(image, at, size)) << at << ' ' << size;
  }
}

TEST(Drivers, RefuseWhatNoFileHolds) {
  initialise(false);
  const Descriptor file = memory_file(Image(100));
  const Opened opened(file.get(), nullptr);
  constexpr auto kLast = static_cast<haddr_t>(std::numeric_limits<off_t>::max());
  H5FDset_eoa(opened.file, H5FD_MEM_DEFAULT, kLast);
  EXPECT_EQ(opened.read(H5FD_MEM_OHDR, kLast - kWindow, 8), Image(8));
  EXPECT_TRUE(opened.read(H5FD_MEM_OHDR, kLast - kWindow + 1, 8).empty());
  EXPECT_TRUE(opened.read(H5FD_MEM_OHDR, kLast - 1, 8).empty());
  const std::byte byte{};
  EXPECT_LT(H5FDwrite(opened.file, H5FD_MEM_OHDR, H5P_DEFAULT, 0, 1, &byte), 0);
  H5Eclear2(H5E_DEFAULT);
}

// Pieces that lie in a window, across two, or are read past them: the first page of the memory of
// this process is not mapped, so it cannot be read.
TEST(Drivers, RefuseWhatCannotBeRead) {
  initialise(false);
  const Descriptor memory(open("/proc/self/mem", O_RDONLY));
  ASSERT_TRUE(memory);
  const Opened opened(memory.get(), nullptr);
  for (const H5FD_mem_t type : {H5FD_MEM_OHDR, H5FD_MEM_DRAW})
    for (const std::size_t size : {std::size_t{1}, std::size_t{40}, kWindow, 2 * kWindow})
      for (const haddr_t at : {haddr_t{0}, haddr_t{kWindow - 20}})
        EXPECT_TRUE(opened.read(type, at, size).empty()) << size << ' ' << at;
}

// What is not written cannot be opened for writing, and the other way round.
TEST(Drivers, OpenFilesAsTheyWereMade) {
  initialise(false);
  const auto rewrite = Rewrite::of_private(memory_file(Image(100)), "driver").value();
  const PropertyHandle reading{H5Pcreate(H5P_FILE_ACCESS)}, writing{H5Pcreate(H5P_FILE_ACCESS)};
  ASSERT_TRUE(read_from(reading.get(), rewrite->descriptor()));
  ASSERT_TRUE(write_through(writing.get(), *rewrite));
  const auto opens = [](const PropertyHandle& access, unsigned flags) {
    H5FD_t* const file = H5FDopen("driver", flags, access.get(), HADDR_UNDEF);
    if (file) H5FDclose(file);
    H5Eclear2(H5E_DEFAULT);
    return file != nullptr;
  };
  EXPECT_TRUE(opens(reading, H5F_ACC_RDONLY));
  EXPECT_FALSE(opens(reading, H5F_ACC_RDWR));
  EXPECT_TRUE(opens(writing, H5F_ACC_RDWR));
  EXPECT_FALSE(opens(writing, H5F_ACC_RDONLY));
  EXPECT_FALSE(opens(writing, H5F_ACC_RDWR | H5F_ACC_TRUNC));
  EXPECT_FALSE(opens(writing, H5F_ACC_RDWR | H5F_ACC_CREAT));
}

TEST(Drivers, ReadWhatWasWrittenLast) {
  initialise(false);
  std::mt19937_64 random(2);
  Image image = random_image(random, 3 * kWindow);
  const auto rewrite = Rewrite::of_private(memory_file(image), "driver").value();
  {
    const Opened opened(-1, rewrite.get());
    for (int i = 0; i < 300; ++i) {
      const haddr_t at = any_place(random, image.size());
      const std::size_t size = any_size(random);
      if (random() % 2 == 0) {
        const Image bytes = random_image(random, size);
        ASSERT_GE(H5FDwrite(opened.file, H5FD_MEM_OHDR, H5P_DEFAULT, at, size, bytes.data()), 0);
        image.resize(std::max(image.size(), at + size));
        std::ranges::copy(bytes, image.begin() + static_cast<std::ptrdiff_t>(at));
      }
      ASSERT_EQ(opened.read(H5FD_MEM_OHDR, at, size), part(image, at, size)) << at << ' ' << size;
      ASSERT_EQ(H5FDget_eof(opened.file, H5FD_MEM_DEFAULT), image.size());
    }
    ASSERT_GE(H5FDflush(opened.file, H5P_DEFAULT, false), 0);
    // The file becomes as long as what is allocated.
    for (const std::size_t size : {image.size() + 1'000, image.size(), image.size() - 1'000}) {
      image.resize(size);
      ASSERT_GE(H5FDset_eoa(opened.file, H5FD_MEM_DEFAULT, size), 0);
      ASSERT_EQ(H5FDget_eoa(opened.file, H5FD_MEM_DEFAULT), size);
      ASSERT_GE(H5FDtruncate(opened.file, H5P_DEFAULT, false), 0);
      ASSERT_EQ(H5FDget_eof(opened.file, H5FD_MEM_DEFAULT), size);
    }
  }
  ASSERT_TRUE(rewrite->finish());
  const Bytes bytes = Bytes::of_descriptor(rewrite->descriptor(), "driver");
  Image after(bytes.size());
  ASSERT_TRUE(bytes.read(0, after));
  EXPECT_EQ(after, image);
}

}  // namespace
}  // namespace hepcheck::hep001::libhdf5
