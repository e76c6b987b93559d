import type { Socket } from 'node:net';

/** Decides when bytes from a client are read. */
export type Reading = {
  /** Nothing is read until all reasons for a pause are gone. */
  pause(reason: Reason): void;
  resume(reason: Reason): void;
};

type Reason = 'requests' | 'output' | 'time';

export type Pace = {
  /** Called with the milliseconds that a piece took. Returns for how many of them the next one has to wait. */
  spend(ms: number): number;
  /** Whether what has arrived is still to be read. */
  isWanted(): boolean;
};

/**
 * Passes what a client sends to ssh2 in pieces, so that the process can do other work in between, and no faster than
 * `pace` allows. ssh2 parses everything that has arrived at once, and a client can fill 64 KiB with more than a thousand
 * packets, which take 100 ms, even before it has logged in. It also responds to packets whether or not the client reads
 * the responses, so reading pauses while many of them wait.
 */
export function paceReading(socket: Socket, pace: Pace): Reading {
  const reasons = new Set<Reason>();
  const pause = (reason: Reason) => {
    reasons.add(reason);
    socket.pause();
  };
  const resume = (reason: Reason) => {
    if (reasons.delete(reason) && reasons.size === 0) socket.resume();
  };
  const pauseForOutput = () => {
    if (socket.writableLength <= maxOutputBytes || reasons.has('output')) return;
    pause('output');
    socket.once('drain', () => resume('output'));
  };
  const wait = (ms: number) => {
    pause('time');
    if (ms > 0) setTimeout(resume, ms, 'time').unref();
    else setImmediate(resume, 'time');
  };
  const passInPieces = (pass: (piece: Buffer) => void) => {
    let size = minPiece;
    return (chunk: Buffer) => {
      const start = performance.now();
      for (let at = 0; at < chunk.length && pace.isWanted(); ) {
        if (reasons.size > 0) {
          socket.unshift(chunk.subarray(at));
          return;
        }
        const before = performance.now();
        pass(chunk.subarray(at, at + size));
        at += size;
        const spent = performance.now() - before;
        size = spent < quickMs ? Math.min(2 * size, maxPiece) : minPiece;
        pauseForOutput();
        const waitMs = pace.spend(spent);
        if (waitMs > 0 || performance.now() - start > turnMs) wait(waitMs);
      }
    };
  };
  const on = socket.on.bind(socket) as (event: string, listener: (bytes: Buffer) => void) => Socket;
  socket.on = ((event: string, listener: (bytes: Buffer) => void) =>
    on(event, event === 'data' ? passInPieces(listener) : listener)) as Socket['on'];
  return { pause, resume };
}

/** A piece of small packets takes a few milliseconds. Pieces grow while they are quick, as in the upload of a file. */
const minPiece = 1024;
const maxPiece = 16 * 1024;
const quickMs = 0.5;
/** How long a client's bytes are parsed before other work of the process gets its turn. */
const turnMs = 2;
const maxOutputBytes = 1024 * 1024;
