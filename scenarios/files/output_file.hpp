#pragma once

#include <string>

namespace lagnet {

/// The one file that a command writes.
struct OutputFile {
  std::string path;      // empty: where the command writes by default, or nowhere
  bool replace = false;  // also a file with other content
};

/// Fills in the usual path if none is given.
inline OutputFile or_default(OutputFile given, const std::string& usual) {
  if (given.path.empty()) given.path = usual;
  return given;
}

/// Throws OutputError unless the file may be written: none exists, it is empty or has the same content, or `replace` is
/// set. Devices and pipes may be written to.
void check_output(const OutputFile& file, const std::string& content);

/// Writes a file that appears complete or not at all. Throws OutputError as check_output() does, or if it cannot be
/// written.
void write_output(const OutputFile& file, const std::string& content);

}  // namespace lagnet
