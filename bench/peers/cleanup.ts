type Stop = () => Promise<void>;

const stops: Stop[] = [];

/** Registers what to stop at the end: after a measurement, after a failure, and if the benchmark is interrupted. */
export function atEnd(stop: Stop): void {
  stops.push(stop);
}

/** Stops everything that was registered, the newest first. A failure does not keep the rest from being stopped. */
export async function stopAll(): Promise<void> {
  for (let stop = stops.pop(); stop; stop = stops.pop()) {
    await stop().catch((error: unknown) => console.error(`  could not stop: ${String(error)}`));
  }
}

let interrupted = false;

/** Returns true after Ctrl-C or SIGTERM: nothing new must be started, because the process is about to end. */
export function isInterrupted(): boolean {
  return interrupted;
}

/** Stops everything on Ctrl-C and on SIGTERM before the process ends. */
export function stopAllOnSignal(): void {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.once(signal, () => {
      console.error(`\n${signal}: stopping …`);
      interrupted = true;
      void stopAll().then(() => process.exit(code));
    });
  }
}
