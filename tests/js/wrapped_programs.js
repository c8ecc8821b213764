// Programs around programs of HLO text: their entry as one fusion, or as a step of a loop.

/** What stands before a new entry that calls the old one; undefined where that cannot be. */
function opened(hlo, program, excluded) {
  if (!program.startsWith('HloModule') || excluded.test(program)) return undefined;
  const module = hlo.parse(program);
  const entry = module.computations.find((computation) => computation.isEntry);
  const text = module.print();
  module.dispose();
  if (entry.parameters.some(({ shape }) => shape.elements)) return undefined;
  const line = new RegExp(`^ENTRY (%?)${entry.name.replaceAll('.', '\\.')} `, 'm');
  return line.test(text) ? { entry, text: text.replace(line, `$1${entry.name} `) } : undefined;
}

const layoutOf = ({ dims, layout }) => (dims.length ? `{${layout.minorToMajor}}` : '');
const shapeOf = (shape) =>
  shape.elements
    ? `(${shape.elements.map(shapeOf).join(', ')})`
    : shape.text + (shape.layout && !/[{]/.test(shape.text) ? layoutOf(shape) : '');

/** The program with all that its entry does in one fusion; undefined where that is no program. */
export function asFusion(hlo, program) {
  const parts = opened(hlo, program, /\b(fusion|parameter_replication|S\(|infeed|outfeed)/);
  if (parts === undefined) return undefined;
  const { entry, text } = parts;
  const parameters = entry.parameters.map(
    ({ shape }, i) => `  fusion_p${i} = ${shapeOf(shape)} parameter(${i})`,
  );
  const names = entry.parameters.map((_, i) => `fusion_p${i}`).join(', ');
  return `${text}
ENTRY fusion_main {
${parameters.join('\n')}
  ROOT fusion_r = ${shapeOf(entry.result)} fusion(${names}), kind=kLoop, calls=${entry.name}
}
`;
}

/**
 * The program as what each round of a loop does, whose number of rounds is a further argument, an s32 of at least 1. Its arrays
 * seem to change from round to round, so that nothing can be done before the loop. undefined where that is no program.
 */
export function asStep(hlo, program) {
  const parts = opened(hlo, program, /\b(parameter_replication|S\(|infeed|outfeed|rng|token)|<=/);
  if (parts === undefined) return undefined;
  const { entry, text } = parts;
  const types = new Map(hlo.types.map((type) => [type.name, type]));
  const results = entry.result.elements ?? [entry.result];
  const inputs = entry.parameters.map(({ shape }) => shape);
  const isArray = ({ type }) => /pred|signed|float|complex/.test(types.get(type)?.class);
  if (![...inputs, ...results].every(isArray)) return undefined;
  const zero = ({ type }) =>
    type === 'pred'
      ? 'false'
      : types.get(type).class === 'complex'
        ? '(0, 0)'
        : types.get(type).name === 'f8e8m0fnu'
          ? '1'
          : '0';
  const start = (shape, name) => [
    `  ${name}_0 = ${shape.type}[] constant(${zero(shape)})`,
    `  ${name} = ${shapeOf(shape)} broadcast(${name}_0), dimensions={}`,
  ];
  const state = ['s32[]', 's32[]', ...inputs.map(shapeOf), ...results.map(shapeOf)].join(', ');
  const inputNames = inputs.map((_, i) => `step_p${i}`);
  const take = (name, shape, i) => `  ${name} = ${shape} get-tuple-element(step_s), index=${i}`;
  const choose = (shape, i) => [
    take(`step_x${i}`, shapeOf(shape), 2 + i),
    ...start(shape, `step_z${i}`),
    `  step_b${i} = pred[${shape.dims}]${layoutOf(shape)} broadcast(step_never), dimensions={}`,
    `  step_p${i} = ${shapeOf(shape)} select(step_b${i}, step_z${i}, step_x${i})`,
  ];
  const made = entry.result.elements
    ? results.map(
        (shape, i) => `  step_r${i} = ${shapeOf(shape)} get-tuple-element(step_r), index=${i}`,
      )
    : [`  step_r0 = ${shapeOf(entry.result)} copy(step_r)`];
  const resultNames = results.map((_, i) => `step_r${i}`);
  const carried = inputs.map((_, i) => `step_x${i}`);
  return `${text}
step_more {
  step_s = (${state}) parameter(0)
${take('step_i', 's32[]', 0)}
${take('step_n', 's32[]', 1)}
  ROOT step_m = pred[] compare(step_i, step_n), direction=LT
}
step_body {
  step_s = (${state}) parameter(0)
${take('step_i', 's32[]', 0)}
${take('step_n', 's32[]', 1)}
  step_one = s32[] constant(1)
  step_next = s32[] add(step_i, step_one)
  step_never = pred[] compare(step_i, step_n), direction=EQ
${inputs.flatMap(choose).join('\n')}
  step_r = ${shapeOf(entry.result)} call(${inputNames.join(', ')}), to_apply=${entry.name}
${made.join('\n')}
  ROOT step_t = (${state}) tuple(${['step_next', 'step_n', ...carried, ...resultNames].join(', ')})
}
ENTRY step_main {
${inputs.map((shape, i) => `  step_p${i} = ${shapeOf(shape)} parameter(${i})`).join('\n')}
  step_n = s32[] parameter(${inputs.length})
  step_i = s32[] constant(0)
${results.flatMap((shape, i) => start(shape, `step_r${i}`)).join('\n')}
  step_t = (${state}) tuple(${['step_i', 'step_n', ...inputNames, ...resultNames].join(', ')})
  step_w = (${state}) while(step_t), condition=step_more, body=step_body
${results.map((shape, i) => `  step_y${i} = ${shapeOf(shape)} get-tuple-element(step_w), index=${2 + inputs.length + i}`).join('\n')}
  ${entry.result.elements ? `ROOT step_y = (${results.map(shapeOf).join(', ')}) tuple(${results.map((_, i) => `step_y${i}`).join(', ')})` : `ROOT step_y = ${shapeOf(entry.result)} copy(step_y0)`}
}
`;
}
