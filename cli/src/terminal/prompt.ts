import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { StoppedError } from '../errors.ts';
import type { Terminal } from './terminal.ts';

export type Prompt = {
  /** Returns the trimmed line. Throws if there is no more input, or after Ctrl-C. */
  ask(question: string): Promise<string>;
  /** The same, without showing what is typed. */
  askSecret(question: string): Promise<string>;
  close(): void;
};

/** Reads lines, also from a pipe, where several lines can arrive before the first question. */
export function createPrompt({ stdin, stderr, signal }: Terminal): Prompt {
  const isTerminal = stdin.isTTY === true;
  let isMuted = false;
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!isMuted) stderr.write(String(chunk));
      done();
    },
  });
  const lines = createInterface({ input: stdin, output, terminal: isTerminal });
  const waiting: string[] = [];
  let wake = () => {};
  let isClosed = false;
  lines.on('line', (line) => {
    waiting.push(line);
    wake();
  });
  const close = () => {
    isClosed = true;
    wake();
  };
  lines.on('close', close);
  // In a terminal, readline receives Ctrl-C instead of the process.
  lines.on('SIGINT', () => lines.close());
  signal.addEventListener('abort', () => lines.close(), { once: true });

  async function ask(question: string): Promise<string> {
    if (isTerminal && !isClosed) {
      // readline redraws the line when it is edited, and must know the question for that.
      lines.setPrompt(question);
      lines.prompt();
    } else {
      stderr.write(`${question}\n`);
    }
    while (waiting.length === 0) {
      if (isClosed) throw new StoppedError();
      await new Promise<void>((resolve) => (wake = resolve));
    }
    return (waiting.shift() ?? '').trim();
  }

  return {
    ask,
    async askSecret(question) {
      const asked = ask(question);
      isMuted = isTerminal;
      try {
        return await asked;
      } finally {
        isMuted = false;
        if (isTerminal) stderr.write('\n');
      }
    },
    close: () => lines.close(),
  };
}
