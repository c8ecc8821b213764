"""Writes xla_text.txt: shapes and constants as XLA itself reads and prints them, the oracle of shape_test.c and
literal_test.c. Run with a Python that has jaxlib: python tests/c/data/xla_text.py > tests/c/data/xla_text.txt

Lines are "shape|printed" and "shape|values|printed values"."""
import random

import jaxlib._hlo as xla

random.seed(7)
PRED, SIGNED, UNSIGNED = ['pred'], ['s2', 's4', 's8', 's16', 's32', 's64'], ['u2', 'u4', 'u8', 'u16', 'u32', 'u64']
FLOAT = ['f4e2m1fn', 'f8e3m4', 'f8e4m3', 'f8e4m3fn', 'f8e4m3fnuz', 'f8e4m3b11fnuz', 'f8e5m2', 'f8e5m2fnuz',
         'f8e8m0fnu', 'bf16', 'f16', 'f32', 'f64']
COMPLEX = ['c64', 'c128']
TYPES = PRED + SIGNED + UNSIGNED + FLOAT + COMPLEX
# The largest power of two that XLA accepts for the type, and the smallest that is worth trying.
RANGE = {'f4e2m1fn': (-1, 2), 'f8e3m4': (-6, 3), 'f8e4m3': (-9, 7), 'f8e4m3fn': (-9, 8), 'f8e4m3fnuz': (-10, 7),
         'f8e4m3b11fnuz': (-13, 4), 'f8e5m2': (-16, 15), 'f8e5m2fnuz': (-17, 15), 'f8e8m0fnu': (-126, 126),
         'bf16': (-130, 127), 'f16': (-24, 15), 'f32': (-149, 127), 'f64': (-1074, 1023)}
SPECIAL = ['0', '-0.0', '1', '-1', '0.1', 'inf', '-inf', 'nan', '-nan']


def number(t):
    if t in PRED:
        return random.choice(['true', 'false', '1', '0'])
    if t in SIGNED:
        half = 1 << (int(t[1:]) - 1)
        return str(random.choice([-half, half - 1, 0, random.randrange(-half, half), random.randrange(-2, 2)]))
    if t in UNSIGNED:
        end = 1 << int(t[1:])
        return str(random.choice([0, end - 1, random.randrange(end)]))
    if t in COMPLEX:
        part = {'c64': 'f32', 'c128': 'f64'}[t]
        finite = lambda: next(x for x in iter(lambda: number(part), None) if x[-1] not in 'fn')
        return f'({finite()}, {finite()})'
    low, high = RANGE[t]
    if t == 'f8e8m0fnu':
        return random.choice(['nan', '1', repr(random.uniform(1, 1.9) * 2.0 ** random.randint(low, high))])
    if random.random() < 0.3:
        special = random.choice(SPECIAL)
        return special if t != 'f4e2m1fn' or special[-1] != 'n' else '6'
    if random.random() < 0.3:
        return repr(random.choice([1, -1]) * random.randrange(1, 1 << max(1, min(high, 24))))
    return repr(random.choice([1, -1]) * random.uniform(1, 1.7) * 2.0 ** random.randint(low, high))


def values(t, dims):
    if not dims:
        return number(t)
    return '{' + ', '.join(values(t, dims[1:]) for _ in range(dims[0])) + '}'


def dimensions(rank, zeros=False):
    return [random.choice([1, 2, 3, 5] + ([0] if zeros else [])) for _ in range(rank)]


def layout(t, rank):
    order = random.sample(range(rank), rank)
    text = ','.join(map(str, order))
    properties = ''
    if random.random() < 0.5:
        tiles = [random.choice(['8,128', '2,1', '4', '*,16', '', '1024']) for _ in range(random.randint(1, 3))]
        properties += 'T' + ''.join(f'({x})' for x in tiles)
    if random.random() < 0.2: properties += f'L({random.choice([2, 128])})'
    if random.random() < 0.2: properties += f'#({random.choice(["u32", "u16"])})'
    if random.random() < 0.2: properties += f'*({random.choice(["u32", "u64"])})'
    if random.random() < 0.3:
        bits = {'pred': [1, 8, 32], 's2': [2, 4], 's4': [4], 'u2': [2], 'u4': [4], 'f4e2m1fn': [4]}.get(t, [16, 32])
        properties += f'E({random.choice(bits)})'
    if random.random() < 0.3: properties += f'S({random.randint(1, 9)})'
    if random.random() < 0.2: properties += f'SC({random.choice(["0:4", "1:2,3"])})'
    if random.random() < 0.2: properties += f'M({random.choice([64, 1024])})'
    return '{' + text + (':' + properties if properties else '') + '}'


def shape(depth=0):
    if depth < 3 and random.random() < 0.25:
        return '(' + ', '.join(shape(depth + 1) for _ in range(random.choice([0, 1, 2, 3, 7]))) + ')'
    if depth > 0 and random.random() < 0.1:
        return 'token[]'
    t, rank = random.choice(TYPES), random.choice([0, 1, 1, 2, 2, 3, 4, 5, 6])
    dims = ','.join(random.choice(['', '', '<=']) + str(d) for d in dimensions(rank, True))
    return f'{t}[{dims}]' + (layout(t, rank) if rank > 0 and random.random() < 0.6 else '')


def instruction(text):
    options = xla.HloPrintOptions()
    options.print_large_constants = True
    module = xla.hlo_module_from_text('HloModule m\nENTRY e {\n ROOT c = ' + text + '\n}\n')
    printed = module.to_string(options)
    return printed[printed.index('ROOT %c = ') + len('ROOT %c = '):printed.rindex('\n}')].split(', metadata')[0]


for _ in range(400):
    s = shape()
    try:
        print(s + '|' + instruction(s + ' parameter(0)').removesuffix(' parameter(0)'))
    except RuntimeError:  # XLA takes '#' and '*' only outside of tuples
        assert s[0] == '('


def constant(s, v):
    text = instruction(f'{s} constant({v})')
    assert '\n' not in text
    print('|'.join([s, v, text[text.index(' constant(') + len(' constant('):-1]]))


for t in TYPES:
    for rank in [0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 4, 5]:
        dims = dimensions(rank)
        constant(f'{t}[{",".join(map(str, dims))}]', values(t, dims))
for rank in range(1, 6):
    for _ in range(6):
        dims = dimensions(rank, True)
        constant(f'f32[{",".join(map(str, dims))}]', values('f32', dims))
for t in ['bf16', 'f16', 'f32', 'f64', 'f8e5m2']:
    for v in ['nan(0x1)', '-nan(0x1)', 'nan(0x2)', 'nan(0x3)']:
        constant(t + '[]', v)
for _ in range(30):
    parts = []
    for _ in range(random.randint(0, 7)):
        t, dims = random.choice(TYPES), dimensions(random.randint(0, 3))
        parts.append((f'{t}[{",".join(map(str, dims))}]', values(t, dims)))
    constant('(' + ', '.join(p[0] for p in parts) + ')', '(' + ', '.join(p[1] for p in parts) + ')')
