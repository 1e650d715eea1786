// SPDX-License-Identifier: MIT
// The whole library. Each header also compiles on its own. Needs C++20 and a compiler that knows
// the attributes and builtins of GCC; tested with GCC 12 and Clang 14.
//
// What you may call is in the namespace `cuckoo`, in the headers outside the folder `detail`, best read in this order:
//
//     error.h  params.h  rate.h  plan.h  hash/hash.h  hash/siphash.h (SecretKey)  hash/hasher.h  entries/outcome.h
//     filters/key_range.h (Keys)  filters/table_filter.h (ValueKind)  filters/filter.h  filters/value.h
//     filters/counting.h filters/expiring.h  filters/layers.h  filters/scalable.h  filters/merge.h  format/header.h
//     (kHeaderBytes) format/format.h  format/scalable_format.h  concurrent/machine.h  concurrent/word_plan.h
//     concurrent/concurrent_filter.h  filters/traced.h  entries/trace.h  entries/statistics.h  version.h
//
// What is in the folder and namespace `detail` may change at any time.
// Invariant: of the includes below, each header includes only headers above it, so they are in include order.
#pragma once

// clang-format off
#include "cuckoo/version.h"
#include "cuckoo/error.h"
#include "cuckoo/detail/bits.h"
#include "cuckoo/detail/logarithm.h"
#include "cuckoo/params.h"
#include "cuckoo/rate.h"
#include "cuckoo/detail/load.h"
#include "cuckoo/plan.h"
#include "cuckoo/hash/hash.h"
#include "cuckoo/detail/hash/xxh64.h"
#include "cuckoo/hash/siphash.h"
#include "cuckoo/hash/hasher.h"
#include "cuckoo/detail/table/entry.h"
#include "cuckoo/detail/table/semi_sort.h"
#include "cuckoo/detail/table/bucket_layout.h"
#include "cuckoo/detail/table/order.h"
#include "cuckoo/detail/table/bucket.h"
#include "cuckoo/detail/table/table.h"
#include "cuckoo/detail/table/bucket_appender.h"
#include "cuckoo/detail/entries/location.h"
#include "cuckoo/entries/outcome.h"
#include "cuckoo/detail/entries/growth.h"
#include "cuckoo/detail/entries/pending.h"
#include "cuckoo/detail/entries/search.h"
#include "cuckoo/detail/entries/insert.h"
#include "cuckoo/detail/entries/later_table.h"
#include "cuckoo/detail/entries/distinct.h"
#include "cuckoo/entries/statistics.h"
#include "cuckoo/detail/entries/hash_batch.h"
#include "cuckoo/detail/entries/batch.h"
#include "cuckoo/detail/entries/halve.h"
#include "cuckoo/detail/entries/entries.h"
#include "cuckoo/entries/trace.h"
#include "cuckoo/detail/entries/traced.h"
#include "cuckoo/filters/key_range.h"
#include "cuckoo/filters/table_filter.h"
#include "cuckoo/filters/merge.h"
#include "cuckoo/filters/filter.h"
#include "cuckoo/filters/traced.h"
#include "cuckoo/filters/value.h"
#include "cuckoo/filters/counting.h"
#include "cuckoo/detail/filters/periods.h"
#include "cuckoo/filters/expiring.h"
#include "cuckoo/filters/layers.h"
#include "cuckoo/detail/filters/missing.h"
#include "cuckoo/filters/scalable.h"
#include "cuckoo/detail/format/canonical.h"
#include "cuckoo/detail/format/sorted_copy.h"
#include "cuckoo/format/header.h"
#include "cuckoo/format/format.h"
#include "cuckoo/format/scalable_format.h"
#include "cuckoo/concurrent/machine.h"
#include "cuckoo/concurrent/word_plan.h"
#include "cuckoo/detail/concurrent/shared_state.h"
#include "cuckoo/detail/concurrent/writers_lock.h"
#include "cuckoo/detail/concurrent/shared_entries.h"
#include "cuckoo/detail/concurrent/table_copy.h"
#include "cuckoo/concurrent/concurrent_filter.h"
