// The baseline of a run that examines files.
#pragma once

#include "cli/validate.h"

namespace hepcheck::cli {

// Marks what the baseline of `arguments`, if they name one, lists.
void compare_with_baseline(const ExaminingArguments& arguments, Examination& made);

}  // namespace hepcheck::cli
