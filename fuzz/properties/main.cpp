// Runs the properties. RC_PARAMS is passed to RapidCheck: the seed that a failing run printed, or
// "max_success=100000" for a long search.
#include <gtest/gtest.h>

#include <cstdlib>

int main(int argc, char** argv) {
  setenv("RC_PARAMS", "max_success=400", 0);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
