import type { Socket } from 'node:net';
import type { SFTPWrapper } from 'ssh2';

// This file uses ssh2 internals. The tests with OpenSSH's client fail if a new version changes them.

const maxOutputBytes = 4 * 1024 * 1024;

/**
 * Waits while the client does not read its responses. ssh2 keeps output that exceeds the SSH window in an unbounded
 * list and emits no event when the list is empty, so the list is polled.
 */
export async function waitForOutput(sftp: SFTPWrapper, socket: Socket): Promise<void> {
  const { _buffer: waiting } = sftp as unknown as { _buffer: Buffer[] };
  while (!socket.destroyed && (waiting.length > 0 || socket.writableLength > maxOutputBytes)) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** OpenSSH's clients wait until the server closes the channel, and scp fails unless it receives exit status 0. */
export function closeChannel(sftp: SFTPWrapper): void {
  const { _protocol: protocol, outgoing } = sftp as unknown as {
    _protocol: { exitStatus(channel: number, status: number): void };
    outgoing: { id: number; state: string };
  };
  if (outgoing.state === 'open') protocol.exitStatus(outgoing.id, 0);
  sftp.end();
}
