// For the tests of HLO text: a module that holds every syntax, and files. Must not know what is
// tested.
#ifndef HLO_TESTS_HLO_TEXT_FILES_H
#define HLO_TESTS_HLO_TEXT_FILES_H

#include "read_file.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Calls visit with the path and contents of every file of the folder whose name ends in .hlo;
// returns how many there were.
static inline int for_each_hlo_file(const char *folder,
                                    void (*visit)(const char *path, const char *text,
                                                  size_t length)) {
  DIR *directory = opendir(folder);
  if (directory == NULL) {
    fprintf(stderr, "cannot open %s\n", folder);
    exit(1);
  }
  int count = 0;
  for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
    size_t length = strlen(entry->d_name);
    if (length < 4 || strcmp(entry->d_name + length - 4, ".hlo") != 0) continue;
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    size_t size;
    char *text = read_file(path, &size);
    visit(path, text, size);
    free(text);
    count++;
  }
  closedir(directory);
  return count;
}

// Every syntax of HLO text that has one place in a module, small enough to be cut at every byte.
static const char every_syntax[] =
    "// A line comment { ( \"\n"
    "HloModule every.syntax-1, is_scheduled=true, entry_computation_layout={(f32[2,3]{1,0})->"
    "f32[]}, input_output_alias={ {0}: (0, {}, may-alias) }, num_partitions=4, "
    "frontend_attributes={a=\"}\"}\n"
    "\n"
    "FileNames\n1 \"/app/a \\\"b\\\".py\"\n\n"
    "FunctionNames\n1 \"f.<locals>.<lambda>\"\n\n"
    "FileLocations\n1 {file_name_id=1 function_name_id=1 line=71 end_line=71}\n\n"
    "StackFrames\n1 {file_location_id=1 parent_frame_id=1}\n\n"
    "%region_0.3 (Arg_0.4: f32[], Arg_1.5: f32[]) -> f32[] {\n"
    "  %Arg_0.4 = f32[] parameter(0)\n"
    "  %Arg_1.5 = f32[] parameter(1)\n"
    "  ROOT %add.6 = f32[] add(f32[] %Arg_0.4, f32[] %Arg_1.5), metadata={op_name=\"a/b\" "
    "source_line=3}\n"
    "}, execution_thread=\"host\"\n"
    "\n"
    "ge {\n"
    "  a = f32[] parameter(0) b = f32[] parameter(1)\n"
    "  ROOT c = pred[] compare(a, b), direction=GE, type=TOTALORDER\n"
    "}\n"
    "/* a block\n comment */\n"
    "body {\n"
    "  x = (s32[], f32[2,3]{0,1}) parameter(0)\n"
    "  i = s32[] get-tuple-element(x), index=0\n"
    "  one = s32[] constant(1)\n"
    "  j = s32[] add(i, one)\n"
    "  v = f32[2,3]{0,1} get-tuple-element(x), index=1\n"
    "  ROOT y = (s32[], f32[2,3]{0,1}) tuple(j, v)\n"
    "}\n"
    "condition { x = (s32[], /*index=1*/f32[2,3]{0,1}) parameter(0)\n"
    "  i = s32[] get-tuple-element(x), index=0 n = s32[] constant(7)\n"
    "  ROOT lt = pred[] compare(i, n), direction=LT }\n"
    "branch { ROOT p = f32[] parameter(0) }\n"
    "branch2 { p = f32[] parameter(0) ROOT q = f32[] negate(p) }\n"
    "\n"
    "ENTRY %main/x.10 (p0: f32[2,3], \"q 1\": f32[1,8,8,3]) -> (f32[2,3], f32[]) {\n"
    "  %p0 = f32[2,3]{1,0:T(8,128)S(1)} parameter(0), sharding={devices=[2,2]<=[4] "
    "last_tile_dim_replicate}\n"
    "  %\"q 1\" = f32[1,8,8,3] parameter(1), frontend_attributes={x=\"{\\\"\",y={1,2}}\n"
    "  %c0 = f32[] constant(-1.5e-3)\n"
    "  c1 = s32[2,2]{1,0} constant({ /*i0=0*/ {1, -2}, { 3, 4 } })\n"
    "  c2 = c64[2] constant({(1, -2), (nan, inf)})\n"
    "  c3 = (f32[2], pred[]) constant(({1, 2}, true))\n"
    "  c4 = f32[1000] constant({...})\n"
    "  w = f32[3,3,3,4] broadcast(c0), dimensions={}\n"
    "  conv = f32[1,4,4,4] convolution(%\"q 1\", w), window={size=3x3 stride=2x2 pad=1_0x1_0 "
    "rhs_reversal=1x1}, dim_labels=b01f_01io->b01f, operand_precision={highest,default}\n"
    "  rw = f32[2,3] reduce-window(p0, c0), window={size=1x2 pad=0_0x1_0 lhs_dilate=1x1 "
    "rhs_dilate=1x1}, to_apply=region_0.3\n"
    "  pad = f32[4,3] pad(p0, c0), padding=0_1_1x1_-1_0\n"
    "  slice = f32[1,2] slice(pad), slice={[0:2:2], [1:3]}\n"
    "  pad0 = f32[] pad(c0, c0), padding=\n"
    "  t = f32[3,2]{0,1} transpose(f32[2,3]{1,0:T(8,128)S(1)} p0), dimensions={1,0}\n"
    "  dot = f32[2,2] dot(p0, t), lhs_contracting_dims={1}, rhs_contracting_dims={0}, "
    "algorithm=dot_bf16_bf16_f32\n"
    "  r = f32[] reduce(dot, c0), dimensions={0,1}, to_apply={\n"
    "    x = f32[] parameter(0)\n    y = f32[] parameter(1)\n    ROOT z = f32[] add(x, y)\n  }\n"
    "  early = f32[] negate(late), control-predecessors={r, %dot}\n"
    "  late = exponential(c0), result_accuracy={tolerance={atol=0.001,rtol=0,ulps=3}}\n"
    "  ar = f32[2,3] all-reduce(p0), channel_id=1, replica_groups={{0,1},{2,3}}, "
    "use_global_device_ids=true, to_apply=%region_0.3\n"
    "  ag = f32[4,3] all-gather(p0), replica_groups=[2,2]<=[2,2]T(1,0), dimensions={0}\n"
    "  am = f32[4,3] all-gather(p0), replica_groups=mesh['x'=2,'y'=2] {'y'}, dimensions={0}\n"
    "  cp = f32[2,3] collective-permute(p0), source_target_pairs={{0,1},{1,0}}\n"
    "  cc = f32[2] custom-call(c0, c1), custom_call_target=\"a\\n\\\"b\\\\\", "
    "backend_config={\"a\":[1,{\"b\":\"}\"}]}, called_computations={%ge, %branch}, "
    "operand_layout_constraints={f32[], s32[2,2]{1,0}}, api_version=API_VERSION_TYPED_FFI, "
    "output_to_operand_aliasing={{}: (0, {})}, literal=s32[2]{0} {1, 2}\n"
    "  bn = f32[2] batch-norm-inference(cc, cc, cc, cc, cc), epsilon=0.001, feature_index=0\n"
    "  s = ((f32[2]), f32[2], u32[]) exponential-start(cc), async_execution_thread=\"host\"\n"
    "  d = f32[2] exponential-done(s)\n"
    "  k = s32[] constant(0)\n"
    "  state = (s32[], f32[2,3]{0,1}) tuple(k, p0)\n"
    "  loop = (s32[], f32[2,3]{0,1}) while(state), condition=%condition, body=%body, "
    "backend_config=\"known_trip_count\"\n"
    "  cond = f32[] conditional(k, c0, c0), branch_computations={%branch, %branch2}\n"
    "  tok = token[] after-all()\n"
    "  out = token[] outfeed(c0, tok), outfeed_shape=f32[], outfeed_config=\"x\\001\\303\"\n"
    "  ROOT %result = (f32[2,3]{1,0}, f32[]) tuple(p0, /*index=1*/ early)\n"
    "}\n";

#endif
