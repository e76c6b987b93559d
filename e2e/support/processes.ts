import { execFileSync } from 'node:child_process';

export type ProcessRow = { pid: number; parent: number; command: string };

/** Every living process. A zombie is dead, whoever still has to ask how it ended. */
export function listProcesses(): ProcessRow[] {
  const output = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,stat=,args='], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return output.split('\n').flatMap((line) => {
    const [, pid, parent, state = 'Z', command = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    return state.startsWith('Z') ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
  });
}

/** The process and all that it has started, directly and indirectly. */
export function listFamily(pid: number): ProcessRow[] {
  const all = listProcesses();
  const family = all.filter((row) => row.pid === pid);
  for (const member of family) family.push(...all.filter((row) => row.parent === member.pid));
  return family;
}

/** Those of the given processes that still live; another process with the same number is not one of them. */
export function survivors(before: ProcessRow[]): ProcessRow[] {
  const now = new Map(listProcesses().map((row) => [row.pid, row]));
  return before.filter((row) => programOf(now.get(row.pid)) === programOf(row));
}

/** PostgreSQL's processes change what stands behind the first word, so only that tells them. */
function programOf(row: ProcessRow | undefined): string {
  return row?.command.split(/[\s:]/)[0]?.split('/').at(-1) ?? '';
}
