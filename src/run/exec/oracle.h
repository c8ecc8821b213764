// Running a program by the oracle alone: src/reference evaluates the module as it was given.
#ifndef HLO_RUN_EXEC_ORACLE_H
#define HLO_RUN_EXEC_ORACLE_H

#include "run/exec/run.h"

// Whether the oracle has all that the program needs. Not what runs on several devices or talks to
// the host, nor custom calls whose results have sizes of their own: the executor carries those out.
bool hlo_oracle_has(const hlo_module *module);
// Whether it may carry out this run: nobody observes it, it has one process and has not begun.
bool hlo_oracle_may_run(const hlo_run *run);
// From the arguments in the outermost frame to the results, at once; no step of the plan is taken.
hlo_status hlo_oracle_run(hlo_run *run, hlo_error *error);

#endif
