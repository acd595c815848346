// The flag that leaves the time of last access as it is.
#pragma once

#include <fcntl.h>

namespace hepcheck {

#ifdef __EMSCRIPTEN__
inline constexpr int kKeepAccessTime = 0;  // its file systems refuse flags that they do not know
#else
inline constexpr int kKeepAccessTime = O_NOATIME;
#endif

}  // namespace hepcheck
