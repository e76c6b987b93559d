/**
 * Recognizes a wedge scanner anywhere on the page: it types a code faster than a person can, then presses Enter. If a
 * field has the focus, the code is removed from it again.
 */
export function listenForScans(onScan: (code: string) => void): () => void {
  let burst: Burst | undefined;
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === 'Enter' || event.key === 'Tab') {
      const scanned = burst;
      burst = undefined;
      if (!scanned || scanned.code.length < minLength || event.timeStamp - scanned.lastAt > maxGap) return;
      event.preventDefault();
      event.stopPropagation();
      scanned.restore();
      onScan(scanned.code);
      return;
    }
    if (event.key.length !== 1) return;
    const isFast = burst !== undefined && event.timeStamp - burst.lastAt <= maxGap;
    burst =
      burst && isFast
        ? { ...burst, code: burst.code + event.key, lastAt: event.timeStamp }
        : { code: event.key, lastAt: event.timeStamp, restore: rememberField(event.target) };
  };
  window.addEventListener('keydown', onKey, { capture: true });
  return () => window.removeEventListener('keydown', onKey, { capture: true });
}

type Burst = { code: string; lastAt: number; restore: () => void };

/** The shortest barcodes have 6 digits (UPC-E). People type digits at intervals of about 150 ms. */
const minLength = 6;
const maxGap = 80;

function rememberField(target: EventTarget | null): () => void {
  if (!(target instanceof HTMLInputElement) || target.type === 'checkbox') return () => {};
  const { value } = target;
  return () => {
    // React listens to the event and reads the value from the element.
    const setter = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
    setter?.call(target, value);
    target.dispatchEvent(new Event('input', { bubbles: true }));
  };
}
