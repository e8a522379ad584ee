// Numbers and configurations as people read them.
#pragma once

#include <string>

#include "hone/report.h"

namespace hone::apps {

/// The number with this many decimals.
std::string fixed(double number, int decimals);

/// "1.23e-05"
std::string scientific(double number);

/// Milliseconds with four significant digits or whole ones: "0.005432 ms", "12.35 ms", "12345 ms".
std::string milliseconds(double ms);

/// Rounded up: "12 MiB".
std::string mebibytes(double bytes);

/// "MWG=64 NWG=32"
std::string configurationText(const NamedConfiguration& configuration);

}  // namespace hone::apps
