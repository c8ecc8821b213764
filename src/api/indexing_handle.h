// Shared by the files that serve indexing analysis: an answer with all that it lives in.
#ifndef HLO_API_INDEXING_HANDLE_H
#define HLO_API_INDEXING_HANDLE_H

#include "base/arena.h"
#include "hlo.h"
#include "indexing/indexing.h"

// The module must outlive it. What later questions find out stays in the arena, too.
struct hlo_api_indexing {
  hlo_arena arena;
  hlo_indexing_analysis *analysis;
  hlo_indexing_answer answer;
};

#endif
