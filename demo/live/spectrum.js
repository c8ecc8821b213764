// The spectrum of a sound, from a synthesiser made here or the microphone: window, real FFT and magnitudes are one program.
import { element } from '../frame.js';
import { line, picture, stopwatch, styleColor } from './canvas.js';

const [SAMPLES, RATE] = [4096, 44100];

/** @param {any} hlo @param {HTMLElement} root */
export function spectrum(hlo, root) {
  const window = Float32Array.from(
    { length: SAMPLES },
    (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / SAMPLES),
  );
  const taper = hlo.array(window);
  const magnitudes = hlo.jit((/** @type {any} */ sound) => {
    const lines = hlo.fft(hlo.mul(sound, taper), 'RFFT', [SAMPLES]);
    return hlo.log(hlo.add(hlo.abs(lines), 1e-3));
  });
  const field = (
    /** @type {string} */ text,
    /** @type {number} */ value,
    /** @type {number} */ max,
  ) => {
    const input = element('input', { type: 'range', min: 0, max, value });
    return { input, label: element('label', {}, `${text} `, input) };
  };
  const [pitch, overtones, noise] = [
    field('Pitch', 440, 4000),
    field('Overtones', 6, 20),
    field('Noise', 5, 100),
  ];
  /** @type {AnalyserNode | undefined} */
  let microphone;
  let rate = RATE;
  const told = element('p', { class: 'quiet' });
  const wrong = element('p', { class: 'wrong', role: 'alert', hidden: true });
  const listen = element(
    'button',
    {
      type: 'button',
      onclick: async () => {
        try {
          const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
          const audio = new AudioContext();
          microphone = audio.createAnalyser();
          microphone.fftSize = SAMPLES;
          audio.createMediaStreamSource(stream).connect(microphone);
          rate = audio.sampleRate;
          wrong.hidden = true;
          for (const { input } of [pitch, overtones, noise]) input.disabled = true; // of the synthesiser
          listen.disabled = true;
        } catch (error) {
          wrong.textContent = `The microphone cannot be used: ${/** @type {Error} */ (error).message}`;
          wrong.hidden = false;
        }
      },
    },
    'Use the microphone',
  );
  const wave = picture(720, 120, 'the sound');
  const bands = picture(720, 240, 'its spectrum');
  root.append(
    element('h2', {}, 'Spectrum'),
    element('p', {}, `A real FFT of ${SAMPLES} samples for every picture.`),
    element('div', { class: 'fields' }, pitch.label, overtones.label, noise.label, listen),
    wrong,
    told,
    element('div', { class: 'panels' }, wave.canvas, bands.canvas),
  );
  const sound = new Float32Array(SAMPLES);
  let phase = 0;
  const synthesise = () => {
    const [frequency, count, level] = [pitch, overtones, noise].map(({ input }) =>
      Number(input.value),
    );
    for (let i = 0; i < SAMPLES; i++) {
      let sum = ((Math.random() - 0.5) * level) / 25;
      const t = phase + (2 * Math.PI * frequency * i) / RATE;
      for (let k = 1; k <= count + 1; k++) sum += Math.sin(k * t) / k;
      sound[i] = sum / 2;
    }
    phase += 0.3;
  };
  const time = stopwatch();
  return () => {
    if (microphone) microphone.getFloatTimeDomainData(sound);
    else synthesise();
    let levels = new Float32Array(0);
    const took = time(() => {
      const input = hlo.array(sound);
      const result = magnitudes(input);
      levels = result.toTypedArray();
      input.dispose();
      result.dispose();
    });
    for (const { context } of [wave, bands])
      context.clearRect(0, 0, context.canvas.width, context.canvas.height);
    line(wave.context, sound.subarray(0, 720), { low: -2, high: 2, color: styleColor('--type') });
    line(bands.context, levels.subarray(0, 1024), {
      low: -7,
      high: 7,
      color: styleColor('--accent'),
    });
    const top = levels.indexOf(levels.reduce((a, b) => Math.max(a, b), -Infinity));
    told.textContent = `strongest at ${((top * rate) / SAMPLES).toFixed(0)} Hz, ${took.toFixed(2)} ms`;
    root.dataset.strongest = String((top * rate) / SAMPLES);
  };
}
