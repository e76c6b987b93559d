/** Calls `work` again and again, with a pause before each call, until it is stopped. Errors are ignored. */
export function repeat(work: () => Promise<void>, pauseMs: number) {
  let timer: NodeJS.Timeout;
  let running: Promise<void> = Promise.resolve();
  let isStopping = false;
  const schedule = () => {
    if (isStopping) return;
    timer = setTimeout(() => {
      running = work()
        .catch(() => {})
        .finally(schedule);
    }, pauseMs);
  };
  schedule();
  return {
    async stop() {
      isStopping = true;
      clearTimeout(timer!);
      await running;
    },
  };
}
