// What a shared libhone exports: HONE_API stands on the classes and functions of the public headers that are defined in
// the library, and on classes whose identity crosses its boundary (exceptions, interfaces). All else is hidden.
#pragma once

#define HONE_API __attribute__((visibility("default")))
