// What the driver's library exports to the tests that link it.
#pragma once

#define HONE_VIRTUAL_API __attribute__((visibility("default")))
