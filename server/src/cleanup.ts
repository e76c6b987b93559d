/** Closes everything that was opened, in reverse order, on shutdown or when a later startup step fails. */
export type Cleanup = {
  add(close: () => unknown): void;
  /** Closes everything once, even if a step fails, and then throws the first error. */
  run(): Promise<void>;
  hasStarted(): boolean;
};

export function createCleanup(): Cleanup {
  const steps: (() => unknown)[] = [];
  let running: Promise<void> | undefined;
  const closeAll = async () => {
    const errors: unknown[] = [];
    for (let step = steps.pop(); step; step = steps.pop()) {
      try {
        await step();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  };
  return {
    add: (close) => void steps.push(close),
    run() {
      running ??= closeAll();
      return running;
    },
    hasStarted: () => running !== undefined,
  };
}

/** Runs `start`. If it fails, closes everything that it has opened. */
export async function cleanUpOnFailure<Result>(
  start: (cleanup: Cleanup) => Promise<Result>,
  cleanup = createCleanup(),
): Promise<Result> {
  try {
    return await start(cleanup);
  } catch (error) {
    // Errors while closing are ignored, because the original error matters more.
    await cleanup.run().catch(() => {});
    throw error;
  }
}
