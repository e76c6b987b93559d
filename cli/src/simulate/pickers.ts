/** A limited number of pickers, who take the orders in the sequence in which they came. */
export type Pickers = {
  /** Runs the work as soon as a picker is free. Returns false if the pickers have left. */
  asPicker(work: () => Promise<void>): Promise<boolean>;
  /** The number of orders that wait for a picker. */
  waiting(): number;
  /** The number of pickers who are picking. */
  busy(): number;
  /** Finishes the orders that are being picked, but starts no others. */
  leave(): void;
};

export function createPickers(count: number): Pickers {
  const queue: ((isFree: boolean) => void)[] = [];
  let busy = 0;
  let hasLeft = false;
  return {
    async asPicker(work) {
      if (hasLeft) return false;
      if (busy < count) busy += 1;
      else if (!(await new Promise<boolean>((resolve) => queue.push(resolve)))) return false;
      try {
        await work();
        return true;
      } finally {
        const next = queue.shift();
        // The next order takes over the picker.
        if (next) next(true);
        else busy -= 1;
      }
    },
    waiting: () => queue.length,
    busy: () => busy,
    leave() {
      hasLeft = true;
      for (const resolve of queue.splice(0)) resolve(false);
    },
  };
}
