import { useEffect } from 'react';

/** Keeps the screen on while the component is shown. Browsers release the lock when the page is hidden. */
export function useWakeLock(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined;
    let isDone = false;
    const acquire = async () => {
      if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return;
      // The request fails on low battery. Picking works without the lock.
      const acquired = await navigator.wakeLock.request('screen').catch(() => undefined);
      if (isDone) void acquired?.release();
      else lock = acquired;
    };
    const onVisible = () => void acquire();
    void acquire();
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      isDone = true;
      document.removeEventListener('visibilitychange', onVisible);
      void lock?.release();
    };
  }, []);
}
