// The exported C API: runs of compiled programs, at once or in slices. Conventions and contracts in
// include/hlo.h.
#include "api/api.h"

#include "run/executable.h"

// Writes what the run printed to the text buffer, and returns its length.
static int32_t write_output(const hlo_run *run) {
  hlo_string *text = hlo_api_begin_text();
  const hlo_string *output = hlo_run_output(run);
  if (output->length > 0) hlo_string_add_bytes(text, output->text, output->length);
  return (int32_t)output->length;
}

int32_t hlo_api_executable_run(const hlo_executable *executable, int32_t count,
                               hlo_array *const *arguments, hlo_array **results, hlo_run **run) {
  hlo_error *error = hlo_api_begin();
  hlo_run *own;
  if (run == NULL) run = &own;
  for (int32_t i = 0; i < hlo_executable_result_count(executable); i++) results[i] = NULL;
  hlo_api_begin_text();
  if (hlo_run_start(executable, count, arguments, run, error) != HLO_OK) return -1;
  hlo_status status = hlo_run_finish(*run, results, error);
  int32_t length = write_output(*run);
  hlo_run *ended = *run;
  *run = NULL;
  hlo_run_destroy(ended);
  return status == HLO_OK ? length : -1;
}

hlo_run *hlo_api_run_start(const hlo_executable *executable, int32_t count,
                           hlo_array *const *arguments) {
  hlo_run *run = NULL;
  hlo_run_start(executable, count, arguments, &run, hlo_api_begin());
  return run;
}

int32_t hlo_api_run_continue(hlo_run *run, uint32_t limit) {
  bool done;
  hlo_status status = hlo_run_continue(run, limit, &done, hlo_api_begin());
  return status != HLO_OK ? -1 : done;
}
hlo_array *hlo_api_run_result(hlo_run *run, int32_t index) {
  hlo_array *array = NULL;
  hlo_run_result(run, index, &array, hlo_api_begin());
  return array;
}
uint32_t hlo_api_run_output(const hlo_run *run) { return (uint32_t)write_output(run); }
void hlo_api_run_destroy(hlo_run *run) { hlo_run_destroy(run); }
