// Values of elements, each made once. See emitter.h.
#include "codegen/lower/emitter.h"

// The stack holds walks of that depth through instructions and through nodes.
enum { MAX_DEPTH = 200, MAX_GRAPH_DEPTH = 700, MAX_NODES = 6000 };

bool hlo_emit_value(hlo_emitter *e, const hlo_instruction *instruction, int32_t leaf,
                    const hlo_element_map *map, hlo_value *out) {
  for (hlo_lowered *known = e->lowered[instruction->id]; known != NULL; known = known->next) {
    if (known->leaf == leaf && hlo_element_map_equal(known->map, map)) {
      *out = known->value;
      return true;
    }
  }
  hlo_emit_function *lower = hlo_emit_function_of(instruction->opcode);
  *out = (hlo_value){{0}};
  bool too_large = e->graph.count > MAX_NODES || e->graph.depth > MAX_GRAPH_DEPTH;
  if (e->depth == MAX_DEPTH || too_large) {
    if (!e->has_stopped) e->obstacle = instruction;
    e->has_stopped = true;
    return false;
  }
  e->depth++;
  bool done = lower(e, instruction, leaf, map, out);
  e->depth--;
  if (!done && !e->has_stopped) e->obstacle = instruction;
  e->has_stopped = e->has_stopped || !done;
  hlo_lowered *lowered = hlo_arena_array(e->arena, 1, sizeof *lowered);
  if (!done || lowered == NULL || e->graph.failed || e->out_of_memory) {
    e->out_of_memory = e->out_of_memory || lowered == NULL || e->graph.failed;
    return false;
  }
  *lowered = (hlo_lowered){e->lowered[instruction->id], leaf, map, *out};
  e->lowered[instruction->id] = lowered;
  return true;
}
