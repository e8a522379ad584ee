// Hone: online autotuning. Everything that needs no OpenCL.
#pragma once

#include "hone/declarations.h"
#include "hone/error.h"
#include "hone/explain.h"
#include "hone/expression.h"
#include "hone/measurement.h"
#include "hone/options.h"
#include "hone/pin.h"
#include "hone/range.h"
#include "hone/report.h"
#include "hone/search_space.h"
#include "hone/strategy.h"
#include "hone/tuner.h"
#include "hone/version.h"
