import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { lowerPriority } from '../values/low-priority.ts';
import type { ConnectedClient } from './statement.ts';

/** Whether PostgreSQL may run on this machine, where its processes and this one share the processors. */
export function isOnThisMachine(url: string): boolean {
  return process.platform === 'linux' && ['', 'localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname);
}

/**
 * Lowers the priority of the PostgreSQL process that serves the connection. Does nothing if that process cannot be seen
 * from here, such as in another container, or belongs to another user. Its title contains the port of this connection,
 * so it cannot be mistaken for another one.
 */
export function lowerServerPriority(client: pg.ClientBase): void {
  const { processID, connection } = client as ConnectedClient & { processID: number };
  try {
    const title = readFileSync(`/proc/${processID}/cmdline`, 'latin1');
    if (
      title.startsWith('postgres:') &&
      title.includes(connection.stream.localPort ? `(${connection.stream.localPort})` : '[local]')
    )
      lowerPriority(processID);
  } catch {
    // The work is done with the usual priority.
  }
}
