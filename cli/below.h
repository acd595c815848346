// Files that a settings file names, which a stranger may have written: in its own folder or below
// it, through no link, and none that is hidden: what lies in .git is not the stranger's.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

#include "validator/descriptor.h"

namespace hepcheck::cli {

// Whether a path names such a file: relative, and no part is empty or begins with a dot.
bool is_below(std::string_view path);

struct Below {
  std::string folder{};  // empty: the working directory
  std::string path{};    // is_below

  std::string whole() const;
};

// Opens a regular file with O_RDONLY or O_RDWR | O_CREAT. Without O_CREAT, one that is not there
// gives an empty descriptor. Links are refused, hard ones too.
Result<Descriptor> open_below(const Below& file, int flags);
Result<std::string> read_below(const Below& file);

// Writes to an open file and closes it; false if something went wrong.
bool write_through(Descriptor file, const std::function<void(std::ostream&)>& write);

}  // namespace hepcheck::cli
