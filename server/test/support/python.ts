import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The folder of the Python package. */
export const pythonPackage = join(import.meta.dirname, '../../../sdk-python');

const environment = { ...process.env, PYTHONPATH: pythonPackage, PYTHONDONTWRITEBYTECODE: '1', PYTHONUTF8: '1' };

/** Whether the tests of the Python package can run: it needs Python 3.10 or later. */
export function hasPython(): boolean {
  const probe = 'import sys; sys.exit(0 if sys.version_info >= (3, 10) else 1)';
  return spawnSync('python3', ['-c', probe]).status === 0;
}

/** Runs Python to its end without blocking this process, which can be the server that the program calls. */
export async function runPython(args: string[], more: Record<string, string> = {}, input = '') {
  const child = spawn('python3', args, { cwd: pythonPackage, env: { ...environment, ...more } });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (part: string) => (stdout += part));
  child.stderr.setEncoding('utf8').on('data', (part: string) => (stderr += part));
  child.stdin.end(input);
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { status, stdout, stderr };
}

/** Starts a Python program that returns one line of JSON for each line of JSON that it gets. */
export function startPython(file: string) {
  const child = spawn('python3', [file], { cwd: pythonPackage, env: environment });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => (errors += part));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async ask<Reply>(request: object): Promise<Reply> {
      child.stdin.write(`${JSON.stringify(request)}\n`);
      const { value, done } = await lines.next();
      return done ? assert.fail(`Python has ended: ${errors}`) : JSON.parse(value);
    },
    async stop() {
      child.stdin.end();
      if (child.exitCode === null) await new Promise((resolve) => child.once('close', resolve));
    },
  };
}
