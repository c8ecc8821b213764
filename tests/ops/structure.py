"""Cases of operations that only rename, move or group values, and of collectives of one process, which give what they get.
The references are the inputs.
"""
import random

import numpy as np

from cases import File
from contractions import small_ints

ADD = 'add {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT s = f32[] add(a, b)\n}\n\n'


def case(file, name, x, lines, want, computations=''):
    shape = f'{lines[0]} parameter(0)'
    body = [f'x = {shape}', *lines[1:]]
    body[-1] = 'ROOT ' + body[-1]
    program = f'HloModule {name}\n\n{computations}ENTRY main {{\n' + ''.join(f'  {line}\n' for line in body) + '}'
    file.case(name, program, [x], want, trust=False)


def make():
    rng = random.Random('structure')
    x = small_ints('f32', (2, 3), rng)
    file = File('structure', 'fusion, domain, copies and asynchronous pairs, tokens, bitcast.')
    double = 'double {\n  a = f32[2,3] parameter(0)\n  ROOT b = f32[2,3] add(a, a)\n}\n\n'
    for kind in ('kLoop', 'kInput', 'kOutput', 'kCustom'):
        case(file, f'fusion_{kind}', x, ['f32[2,3]', f'y = f32[2,3] fusion(x), kind={kind}, calls=double'], [2 * x], double)
    both = ('both {\n  a = f32[2,3] parameter(0)\n  b = f32[2,3] negate(a)\n  c = f32[3,2] transpose(a), dimensions={1,0}\n'
            '  ROOT t = (f32[2,3], f32[3,2]) tuple(b, c)\n}\n\n')
    case(file, 'fusion_tuple', x, ['f32[2,3]', 'y = (f32[2,3], f32[3,2]) fusion(x), kind=kLoop, calls=both'], [-x, x.T.copy()], both)
    case(file, 'domain', x, ['f32[2,3]', 'y = f32[2,3] domain(x), domain={kind="sharding", entry={maximal device=0}, exit={}}'], [x])
    case(file, 'copy_start_done', x, ['f32[2,3]', 'c = (f32[2,3], f32[2,3], u32[]) copy-start(x)', 'y = f32[2,3] copy-done(c)'], [x])
    case(file, 'copy_of_layout', x, ['f32[2,3]', 'c = (f32[2,3]{0,1}, f32[2,3], u32[]) copy-start(x)', 'y = f32[2,3]{0,1} copy-done(c)'], [x])
    start = 'c = ((f32[2,3]), f32[2,3], s32[]) async-start(x), calls=double'
    case(file, 'async_start_done', x, ['f32[2,3]', start, 'y = f32[2,3] async-done(c)'], [2 * x], double)
    case(file, 'async_update', x, ['f32[2,3]', start, 'u = ((f32[2,3]), f32[2,3], s32[]) async-update(c)', 'y = f32[2,3] async-done(u)'],
         [2 * x], double)
    case(file, 'tokens', x, ['f32[2,3]', 't = token[] after-all()', 'u = token[] after-all(t, t)', 'y = f32[2,3] add-dependency(x, u)'], [x])
    case(file, 'bitcast_reshape', x, ['f32[2,3]', 'y = f32[3,2] bitcast(x)'], [x.reshape(3, 2)])
    case(file, 'bitcast_transpose', x, ['f32[2,3]', 'y = f32[3,2]{0,1} bitcast(x)'], [x.T.copy()])
    case(file, 'bitcast_type', x, ['f32[2,3]', 'y = s32[6] bitcast(x)'], [x.view(np.int32).reshape(6)])
    greatest = np.sort(x, 1)[:, ::-1][:, :2].copy()
    places = np.argsort(-x, 1, kind='stable')[:, :2].astype(np.int32)
    case(file, 'custom_call_top_k', x, ['f32[2,3]', 'y = (f32[2,2], s32[2,2]) custom-call(x), custom_call_target="TopK"'],
         [greatest, places])

    file = File('collectives_of_one', 'Collectives of one process: what a program for many gives on a single device.')
    one = [('all_reduce', 'f32[2,3] all-reduce(x), replica_groups={}, to_apply=add'),
           ('all_reduce_global', 'f32[2,3] all-reduce(x), channel_id=1, replica_groups={{0}}, use_global_device_ids=true, to_apply=add'),
           ('all_gather', 'f32[2,3] all-gather(x), replica_groups={{0}}, dimensions={0}'),
           ('reduce_scatter', 'f32[2,3] reduce-scatter(x), replica_groups={{0}}, dimensions={1}, to_apply=add'),
           ('all_to_all', 'f32[2,3] all-to-all(x), replica_groups={{0}}, dimensions={0}'),
           ('collective_broadcast', 'f32[2,3] collective-broadcast(x), replica_groups={{0}}'),
           ('collective_reduce', 'f32[2,3] collective-reduce(x), replica_groups={{0}}, to_apply=add'),
           ('collective_permute', 'f32[2,3] collective-permute(x), source_target_pairs={{0,0}}')]
    for name, text in one:
        case(file, name, x, ['f32[2,3]', 'y = ' + text], [x], ADD if 'add' in text else '')
    case(file, 'all_reduce_pair', x, ['f32[2,3]', 's = f32[2,3] all-reduce-start(x), replica_groups={}, to_apply=add',
                                      'y = f32[2,3] all-reduce-done(s)'], [x], ADD)
    case(file, 'all_gather_pair', x, ['f32[2,3]', 's = (f32[2,3], f32[2,3]) all-gather-start(x), replica_groups={}, dimensions={1}',
                                      'y = f32[2,3] all-gather-done(s)'], [x])
    case(file, 'collective_permute_pair', x,
         ['f32[2,3]', 's = (f32[2,3], f32[2,3], u32[], u32[]) collective-permute-start(x), source_target_pairs={{0,0}}',
          'y = f32[2,3] collective-permute-done(s)'], [x])
    case(file, 'collective_permute_from_nobody', x, ['f32[2,3]', 'y = f32[2,3] collective-permute(x), source_target_pairs={}'], [0 * abs(x)])
    ids = np.array(0, dtype=np.uint32)
    for op in ('replica-id', 'partition-id'):
        case(file, op.replace('-', '_'), x, ['f32[2,3]', f'y = u32[] {op}()'], [ids])
