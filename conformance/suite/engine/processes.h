// The processes of this machine, from /proc: those started by a program under test, and their
// memory.
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

// The members of a process group, and all processes that they have started, in any group.
std::vector<Process> family_of(pid_t group);

// After `adopt_orphans`, the remaining descendants of a process that ends become our children.
// `end_orphans` ends all children except `own`.
void adopt_orphans();
void end_orphans(const std::set<pid_t>& own);

}  // namespace hepcheck::suite
