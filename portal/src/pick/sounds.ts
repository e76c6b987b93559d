import { readDevice, writeDevice } from './device.ts';
import { createStore } from './store.ts';

/** Short tones, generated so that they need no files. */
const tones = {
  newOrder: [
    [880, 0.14],
    [1175, 0.14],
    [1568, 0.22],
  ],
  good: [[1320, 0.09]],
  complete: [
    [1320, 0.08],
    [1760, 0.12],
  ],
  bad: [
    [220, 0.16],
    [180, 0.28],
  ],
} as const satisfies Record<string, readonly (readonly [hertz: number, seconds: number])[]>;

export const isSoundOn = createStore((readDevice('sound') as boolean | undefined) ?? true);

export function setSound(isOn: boolean): void {
  isSoundOn.set(isOn);
  writeDevice('sound', isOn);
}

export function play(name: keyof typeof tones): void {
  if (name === 'bad') navigator.vibrate?.([80, 60, 80]);
  if (!isSoundOn.get() || !audio || audio.state !== 'running') return;
  let at = audio.currentTime;
  for (const [hertz, seconds] of tones[name]) {
    const oscillator = audio.createOscillator();
    const gain = audio.createGain();
    oscillator.type = name === 'bad' ? 'square' : 'sine';
    oscillator.frequency.value = hertz;
    gain.gain.setValueAtTime(0.25, at);
    gain.gain.exponentialRampToValueAtTime(0.001, at + seconds);
    oscillator.connect(gain).connect(audio.destination);
    oscillator.start(at);
    oscillator.stop(at + seconds);
    at += seconds;
  }
}

/** Browsers allow sound only after the first tap or key. */
export function enableSound(): void {
  const start = () => {
    audio ??= new AudioContext();
    void audio.resume();
  };
  window.addEventListener('pointerdown', start);
  window.addEventListener('keydown', start);
}

let audio: AudioContext | undefined;
