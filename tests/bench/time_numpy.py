"""Times expressions of NumPy on one core, for numpy.js: a line of JSON with an expression in, a line with its least ms out. Inputs come first:
{"inputs": {name: [type, dims, base64]}}."""

import base64
import json
import os
import sys
import time

os.environ.update({"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"})

try:
    import numpy as np
except ImportError:
    print("{}", flush=True)
    sys.exit()

print(json.dumps({"version": np.__version__}), flush=True)
scope = {"np": np}
for line in sys.stdin:
    message = json.loads(line)
    if "inputs" in message:
        for name, (dtype, dims, data) in message["inputs"].items():
            scope[name] = np.frombuffer(base64.b64decode(data), dtype).reshape(dims)
        continue
    run = eval(f"lambda: {message['expression']}", scope)
    times = []
    end = time.perf_counter() + 0.5
    while len(times) < 5 or (time.perf_counter() < end and len(times) < 200):
        start = time.perf_counter()
        run()
        times.append((time.perf_counter() - start) * 1e3)
    print(json.dumps({"ms": min(times)}), flush=True)
