// Every example of the documentation's "Indexing analysis" page, and ops and computations that it
// does not show, exactly as printed.
#include "indexing_cases.h"

int main(void) {
  CHECK(check_indexing_cases("tests/c/data/indexing_examples.txt") > 40);
  CHECK(check_indexing_cases("tests/c/data/indexing_ops.txt") > 70);
  CHECK(hlo_memory_in_use() == 0);
  return CHECK_RESULT();
}
