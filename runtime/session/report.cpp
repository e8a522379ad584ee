#include "hone/report.h"

namespace hone {

const char* toString(Phase phase) {
  switch (phase) {
    case Phase::warmingUp: return "warming up";
    case Phase::exploring: return "exploring";
    case Phase::settled: return "settled";
  }
  return "";
}

}  // namespace hone
