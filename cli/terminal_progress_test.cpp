#include "cli/terminal_progress.h"

#include <gtest/gtest.h>

namespace hepcheck::cli {

namespace {

TEST(ProgressText, ShowsBytesRateAndRemainingTime) {
  constexpr std::uint64_t kMiB = 1 << 20;
  EXPECT_EQ(progress_text(100 * kMiB, 400 * kMiB, 2),
            "100.0 MiB of 400.0 MiB, 50.0 MiB/s, 6 s left");
  EXPECT_EQ(progress_text(512, 2048 * kMiB, 1), "512 B of 2.0 GiB, 512 B/s, 1165 h 5 min left");
  EXPECT_EQ(progress_text(kMiB, 101 * kMiB, 1), "1.0 MiB of 101.0 MiB, 1.0 MiB/s, 1 min 40 s left");
}

TEST(ProgressText, OmitsUnknownTimes) {
  EXPECT_EQ(progress_text(0, 2048, 1), "0 B of 2.0 KiB, 0 B/s");
  EXPECT_EQ(progress_text(4096, 2048, 1), "4.0 KiB, 4.0 KiB/s");
}

TEST(ProgressText, AcceptsAnyNumbers) {
  EXPECT_TRUE(progress_text(1, ~std::uint64_t{0}, 1e6).ends_with(" left"));
}

}  // namespace

}  // namespace hepcheck::cli
