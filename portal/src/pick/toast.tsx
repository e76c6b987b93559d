import { useEffect } from 'react';
import { play } from './sounds.ts';
import { createStore, useStore } from './store.ts';

type Toast = { tone: 'good' | 'bad' | 'plain'; message: string };

const shown = createStore<Toast | undefined>(undefined);
const shownMs = 5000;

export function showToast(tone: Toast['tone'], message: string): void {
  if (tone !== 'bad') endFlash();
  shown.set({ tone, message });
}

/** Removes a message that no longer describes what is on the screen. */
export function clearToast(): void {
  shown.set(undefined);
}

/** Refuses something with sound, color and an explanation. */
export function refuse(message: string): void {
  play('bad');
  flash();
  showToast('bad', message);
}

/** Colors the edge of the screen for a moment, which is visible at arm's length. */
export function flash(): void {
  document.body.dataset['flash'] = 'bad';
  clearTimeout(flashTimer);
  flashTimer = setTimeout(endFlash, 700);
}

let flashTimer: ReturnType<typeof setTimeout> | undefined;

/** A correct scan right after a wrong one must not look wrong. */
function endFlash(): void {
  clearTimeout(flashTimer);
  delete document.body.dataset['flash'];
}

/** The last message. It is part of the bar at the bottom of the page, close to the thumb. */
export function ToastArea() {
  const toast = useStore(shown);
  useEffect(() => {
    if (!toast) return undefined;
    const timer = setTimeout(() => shown.set(undefined), shownMs);
    return () => clearTimeout(timer);
  }, [toast]);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {toast && (
        <p className="toast" data-tone={toast.tone}>
          {toast.message}
        </p>
      )}
    </div>
  );
}
