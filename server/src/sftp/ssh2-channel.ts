import type { Socket } from 'node:net';
import type { SFTPWrapper } from 'ssh2';

/** What ssh2 has no public functions for. The tests with OpenSSH's client fail if a new version changes it. */
const maxOutputBytes = 4 * 1024 * 1024;

/**
 * Waits while the client does not read its responses. ssh2 keeps what the SSH window does not allow in a list without a
 * limit and without an event for its end, so it is polled.
 */
export async function waitForOutput(sftp: SFTPWrapper, socket: Socket): Promise<void> {
  const { _buffer: waiting } = sftp as unknown as { _buffer: Buffer[] };
  while (!socket.destroyed && (waiting.length > 0 || socket.writableLength > maxOutputBytes)) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** OpenSSH's clients wait until the server closes the channel, and scp fails unless it is told that all went well. */
export function closeChannel(sftp: SFTPWrapper): void {
  const { _protocol: protocol, outgoing } = sftp as unknown as {
    _protocol: { exitStatus(channel: number, status: number): void };
    outgoing: { id: number; state: string };
  };
  if (outgoing.state === 'open') protocol.exitStatus(outgoing.id, 0);
  sftp.end();
}
