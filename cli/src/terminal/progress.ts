import type { Paint } from './paint.ts';
import { count, truncate } from './text.ts';
import { type Output, widthOf } from './terminal.ts';

export type Progress = {
  /** The total is undefined until it is known. */
  update(done: number, total: number | undefined, details?: string): void;
  end(): void;
};

const barWidth = 24;

/** A bar that is redrawn in place. Prints nothing if the output is not a terminal. */
export function createProgress(output: Output, paint: Paint, label: string): Progress {
  let isShown = false;
  return {
    update(done, total, details = '') {
      if (!output.isTTY) return;
      isShown = true;
      const text = `${label}  ${bar(done, total)}  ${numbers(done, total)}  ${details}`;
      output.write(`\r\u001b[2K${paint('cyan', truncate(text.trimEnd(), widthOf(output) - 1))}`);
    },
    end() {
      if (isShown) output.write('\r\u001b[2K');
      isShown = false;
    },
  };
}

function bar(done: number, total: number | undefined): string {
  const filled = total ? Math.min(barWidth, Math.round((done / total) * barWidth)) : 0;
  return '█'.repeat(filled) + '░'.repeat(barWidth - filled);
}

function numbers(done: number, total: number | undefined): string {
  return total === undefined ? count(done, 'row') : `${done.toLocaleString('en')}/${total.toLocaleString('en')}`;
}
