// The members of reports, for code that visits all of them: archive(member...) is called with the
// members of each structure.
#pragma once

#include <concepts>
#include <type_traits>

#include "validator/archive.h"
#include "validator/report.h"

namespace hepcheck {

// The structured bindings name every member, so a new member does not compile until it is sent too.
template <class T, class U>
concept Some = std::same_as<std::remove_const_t<T>, U>;

void parts(auto& archive, Some<Finding> auto& value) {
  auto& [object, attribute, where, observed, expected, hint, witness, more, severity, known] =
      value;
  archive(object, attribute, where, observed, expected, hint, witness, more, severity, known);
}
void parts(auto& archive, Some<ClauseResult> auto& value) {
  auto& [clause, verdict, severity, reason, blocked_by, examined, findings, suppressed, left_out,
         suppressed_known, reason_known, lowered] = value;
  archive(clause, verdict, severity, reason, blocked_by, examined, findings, suppressed, left_out,
          suppressed_known, reason_known, lowered);
}
void parts(auto& archive, Some<Figure> auto& value) {
  auto& [key, number] = value;
  archive(key, number);
}
void parts(auto& archive, Some<Strip> auto& value) {
  auto& [kind, path, state, compared, reason, unit, differences, marks] = value;
  archive(kind, path, state, compared, reason, unit, differences, marks);
}
void parts(auto& archive, Some<Layer> auto& value) {
  auto& [kind, path, figures, reason] = value;
  archive(kind, path, figures, reason);
}
void parts(auto& archive, Some<Part> auto& value) {
  auto& [name, type, figures, labels, missing, strips, layers, answer, reasons] = value;
  archive(name, type, figures, labels, missing, strips, layers, answer, reasons);
}
void parts(auto& archive, Some<ByteMap> auto& value) {
  auto& [size, kinds, bytes] = value;
  archive(size, kinds, bytes);
}
void parts(auto& archive, Some<FileRange> auto& value) {
  auto& [address, size, kind, object] = value;
  archive(address, size, kind, object);
}
void parts(auto& archive, Some<FileField> auto& value) {
  auto& [address, size, range, name, text] = value;
  archive(address, size, range, name, text);
}
void parts(auto& archive, Some<FileFinding> auto& value) {
  auto& [address, severity, decoded, clause, object, observed, expected] = value;
  archive(address, severity, decoded, clause, object, observed, expected);
}
void parts(auto& archive, Some<FileMap> auto& value) {
  auto& [size, base, end, kinds, objects, ranges, fields, findings, trouble, ranges_left_out,
         fields_left_out] = value;
  archive(size, base, end, kinds, objects, ranges, fields, findings, trouble, ranges_left_out,
          fields_left_out);
}
void parts(auto& archive, Some<Choice> auto& value) {
  auto& [by, sign, path] = value;
  archive(by, sign, path);
}
void parts(auto& archive, Some<SubjectReport> auto& value) {
  auto& [kind, path, spec, choice, verdict, reason, scope, notes, figures, shown, layout, map,
         clauses] = value;
  archive(kind, path, spec, choice, verdict, reason, scope, notes, figures, shown, layout, map,
          clauses);
}
void parts(auto& archive, Some<Error> auto& value) {
  auto& [context, cause] = value;
  archive(context, cause);
}
void parts(auto& archive, Some<FileReport> auto& value) {
  // The stop and the subjects are sent separately, the parent knows the path, and workers do not
  // stamp.
  auto& [path, stamp, error, stop, unreadable, subjects, lacked_memory] = value;
  archive(error, unreadable, lacked_memory);
}
void parts(auto& archive, Some<Stop> auto& value) {
  auto& [cause, name, stage, object, subject, lacked_memory] = value;
  archive(cause, name, stage, object, subject, lacked_memory);
}

}  // namespace hepcheck
