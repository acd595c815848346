// The processes of this machine, as /proc has them: what a program under test has started, and how
// much memory all of it takes.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <set>
#include <vector>

namespace hepcheck::suite {

struct Process {
  pid_t id = 0, parent = 0, group = 0;
  std::uint64_t memory = 0;  // bytes that are resident
};

std::vector<Process> processes();  // empty if there is no /proc

// The members of a process group, and all that they have started, in whatever group it is.
std::vector<Process> family_of(pid_t group);

// Once `adopt_orphans` was called, what a process leaves behind when it ends becomes our child.
// `end_orphans` ends all children but `own`.
void adopt_orphans();
void end_orphans(const std::set<pid_t>& own);

}  // namespace hepcheck::suite
