// Programs in binary form: StableHLO's portable artifacts, alone or in a file of jax.export. They
// are read to generic MLIR text without their large constants, which is imported as any other.
// See text.h.
#include "text/bytecode/bytecode.h"
#include "text/export/jax_export.h"
#include "text/stablehlo/import/import.h"

bool hlo_is_bytecode(const char *bytes, size_t length) {
  mlir_slice all = {bytes, length};
  hlo_jax_export file;
  return hlo_bytecode_has_magic(all) ||
         (hlo_jax_export_open(bytes, length, 0, &file) && hlo_bytecode_has_magic(file.module));
}

// Lines are those of the text that nobody has seen: the error says instead where in the file the
// operation is, whose line it quotes.
static void relocate(const mlir_bytecode *b, hlo_error *error) {
  if (error == NULL || error->line <= 0) return;
  int32_t line = error->line < b->line_count ? error->line : b->line_count; // the text's end
  int32_t offset = line == 0 ? 0 : b->offsets[line - 1];
  hlo_error located = {0};
  hlo_fail(&located, error->status, "byte %d of the file: %s", offset, error->message);
  *error = located;
}

static void forget_lines(hlo_module *module) {
  for (int32_t i = 0; i < module->computation_count; i++) {
    const hlo_computation *computation = module->computations[i];
    for (int32_t k = 0; k < computation->instruction_count; k++)
      computation->instructions[k]->line = computation->instructions[k]->column = 0;
  }
}

hlo_status hlo_parse_bytecode_with(const char *bytes, size_t length,
                                   const hlo_parse_options *options, hlo_module **out,
                                   hlo_error *error) {
  mlir_slice module = {bytes, length};
  mlir_bytecode b = {0};
  hlo_parse_options chosen = *options;
  *out = NULL;
  if (!hlo_bytecode_has_magic(module)) {
    hlo_jax_export file;
    HLO_TRY(hlo_jax_export_check(bytes, length, options->vjp, &file, error));
    module = file.module;
    chosen.platform_index = hlo_jax_export_platform(&file, options->platform);
  }
  hlo_status status = hlo_bytecode_read(&b, bytes, length, module, error);
  if (status == HLO_OK)
    status = hlo_import_text(b.text.text, b.text.length, &b.data, &chosen, out, error);
  if (status == HLO_OK) forget_lines(*out);
  else relocate(&b, error);
  hlo_bytecode_close(&b);
  return status;
}
