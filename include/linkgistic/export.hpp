// What a shared library shows. All of it is hidden but what is marked:
//   class LINKGISTIC_API Name { ... };      LINKGISTIC_API double name(double x);
// Mark the free functions and the classes that have code in a .cpp, exceptions, and classes with virtual
// members; plain structs, enums, templates and inline functions need no mark.
#pragma once

#define LINKGISTIC_API __attribute__((visibility("default")))
