'use client';
// A page of Next.js's app router: the package imported in a client component, which the server renders first.
import { load } from 'hlo-wasm';
import { loadWorker } from 'hlo-wasm/worker';
import { useEffect, useState } from 'react';

export default function Page() {
  const [text, setText] = useState('');
  useEffect(() => {
    compute().then(setText, (error) => setText(String(error)));
  }, []);
  return <output>{text}</output>;
}

async function compute() {
  const hlo = await load({ threads: 2 });
  const here = hlo.np.add([1, 2], 1).toNested();
  const far = await loadWorker({ threads: 2 });
  const there = await (await far.add(await far.array([1, 2], 'f32'), 2)).toNested();
  const threads = [hlo, far].map(({ threads }) => threads.reason ?? threads.count);
  far.terminate();
  return `${here} ${there} ${hlo.build}, threads: ${threads.join(', ')}`;
}
