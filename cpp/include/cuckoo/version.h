// SPDX-License-Identifier: MIT
// The version of these headers, for `#if`. Invariant: it is that of package.json, and a test compares them.
#pragma once

#define CUCKOO_VERSION_MAJOR 0
#define CUCKOO_VERSION_MINOR 1
#define CUCKOO_VERSION_PATCH 0
