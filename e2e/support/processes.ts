import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { waitFor } from './wait.ts';

export type ProcessRow = { pid: number; parent: number; command: string };

/** Lists the process, followed by its descendants. */
export function listFamily(pid: number): ProcessRow[] {
  const all = listProcesses();
  const family = all.filter((row) => row.pid === pid);
  for (const member of family) family.push(...all.filter((row) => row.parent === member.pid));
  return family;
}

/** Lists the program, its embedded PostgreSQL server, and the server's child processes. */
export function familyWithPostgres(pid: number): ProcessRow[] {
  const family = listFamily(pid);
  const servers = family.slice(1).filter((row) => row.command.includes('postgres'));
  assert.ok(servers.length > 3 && servers.length === family.length - 1, JSON.stringify(family));
  return family;
}

/** Fails if one of the given processes is still running after this time. */
export async function assertExited(family: ProcessRow[], seconds: number): Promise<void> {
  await waitFor(seconds, 'all processes to exit', () => survivors(family).length === 0 || undefined);
}

/** Fails if a process with the folder in its command line is still running after this time. */
export async function assertNoneRunning(folder: string, seconds: number): Promise<void> {
  const found = () => listProcesses().filter((row) => row.command.includes(folder));
  await waitFor(seconds, `all processes in ${folder} to exit`, () => found().length === 0 || undefined);
}

/** Returns the given processes that are still running, ignoring new processes that reuse an id. */
export function survivors(before: ProcessRow[]): ProcessRow[] {
  const now = new Map(listProcesses().map((row) => [row.pid, row]));
  return before.filter((row) => programOf(now.get(row.pid)) === programOf(row));
}

/** Lists every running process. Zombies, whose exit status the parent has not read yet, count as exited. */
function listProcesses(): ProcessRow[] {
  const output = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,stat=,args='], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return output.split('\n').flatMap((line) => {
    const [, pid, parent, state = 'Z', command = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    return state.startsWith('Z') ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
  });
}

/** PostgreSQL's processes rewrite their command line after the first word, so only that word identifies them. */
function programOf(row: ProcessRow | undefined): string {
  return row?.command.split(/[\s:]/)[0]?.split('/').at(-1) ?? '';
}
