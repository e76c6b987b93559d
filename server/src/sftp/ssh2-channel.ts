import type { Socket } from 'node:net';
import type { Session, SFTPWrapper } from 'ssh2';

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

/**
 * Whether the client accepts packets of a reasonable size. ssh2 sends responses in pieces of the size that the client
 * asks for, in one go: a large response would become a hundred thousand packets of one byte, or endless ones of none.
 */
export function acceptsPackets(session: Session): boolean {
  const { _chanInfo: channel } = session as unknown as { _chanInfo: { outgoing: { packetSize: number } } };
  return channel.outgoing.packetSize >= minPacketBytes;
}

/** Clients accept 16 KiB or more. */
const minPacketBytes = 1024;

/** OpenSSH's clients wait until the server closes the channel, and scp fails unless it receives exit status 0. */
export function closeChannel(sftp: SFTPWrapper): void {
  const { _protocol: protocol, outgoing } = sftp as unknown as {
    _protocol: { exitStatus(channel: number, status: number): void };
    outgoing: { id: number; state: string };
  };
  if (outgoing.state === 'open') protocol.exitStatus(outgoing.id, 0);
  sftp.end();
}
