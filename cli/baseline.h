// The baseline of a run that examines files.
#pragma once

#include "cli/validate.h"

namespace hepcheck::cli {

// Marks the findings that the baseline of `arguments`, if there is one, lists.
void compare_with_baseline(const ExaminingArguments& arguments, ExaminedRun& made);

}  // namespace hepcheck::cli
