import { useEffect, useRef, useState } from 'react';
import { useWording } from './language.ts';
import { Sheet } from './sheet.tsx';

/** Scans with the camera until a code is found. */
export function Camera({ onScan, onClose }: { onScan(code: string): void; onClose(): void }) {
  const { text } = useWording();
  const video = useRef<HTMLVideoElement>(null);
  const [isBlocked, setBlocked] = useState(false);
  const scanned = useRef(onScan);
  scanned.current = onScan;
  useEffect(() => {
    const stop = new AbortController();
    scan(video.current, stop.signal).then(
      (code) => {
        if (code !== undefined) scanned.current(code);
      },
      () => setBlocked(true),
    );
    return () => stop.abort();
  }, []);
  return (
    <Sheet title={text(isBlocked ? 'order.scan' : 'scan.camera')} onClose={onClose}>
      {isBlocked ? (
        <p className="notice" data-tone="bad" role="alert">
          {text('scan.cameraBlocked')}
        </p>
      ) : (
        <video ref={video} className="camera" autoPlay muted playsInline />
      )}
    </Sheet>
  );
}

/** Reads frames until one contains a code. Undefined if the signal is aborted. */
async function scan(video: HTMLVideoElement | null, signal: AbortSignal): Promise<string | undefined> {
  if (!video) return undefined;
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
  try {
    video.srcObject = stream;
    const { createReader } = await import('./read-barcode.ts');
    const read = await createReader();
    while (!signal.aborted) {
      const code = video.readyState >= video.HAVE_CURRENT_DATA ? await read(video) : undefined;
      if (code !== undefined) return signal.aborted ? undefined : code;
      await new Promise((resolve) => setTimeout(resolve, 120));
    }
    return undefined;
  } finally {
    for (const track of stream.getTracks()) track.stop();
  }
}
