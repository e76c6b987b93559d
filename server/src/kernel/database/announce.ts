import { setTimeout as sleep } from 'node:timers/promises';

/** Notifies the listeners on a channel. An empty subject means that anything can have changed. */
export type Announcer = (channel: string, subject: string) => void;

/** The minimum time between two NOTIFY statements on a channel. */
const gapMs = 10;
/** PostgreSQL limits a payload to 8000 bytes. */
const maxPayload = 7000;
/** Separates the subjects in a payload. */
const separator = ',';

/**
 * A NOTIFY inside a transaction serializes commits, because PostgreSQL holds a lock until the commit is on disk. So the
 * NOTIFY is sent after the commit, as a separate statement. Every NOTIFY wakes all listening processes, so under load
 * one is sent for all transactions that commit within a few milliseconds; the first one after a quiet moment does not
 * wait. A NOTIFY is lost if the process dies, so listeners must poll as well.
 */
export function createAnnouncer(notify: (channel: string, payload: string) => Promise<unknown>): Announcer {
  /** The subjects for the next NOTIFY, by channel. A channel has an entry from one NOTIFY until the next is allowed. */
  const waiting = new Map<string, Set<string>>();
  const send = async (channel: string, subjects: Set<string>) => {
    waiting.set(channel, new Set());
    await Promise.all([notify(channel, payloadOf(subjects)).catch(() => {}), sleep(gapMs, undefined, { ref: false })]);
    const next = waiting.get(channel) ?? new Set();
    waiting.delete(channel);
    if (next.size > 0) void send(channel, next);
  };
  return (channel, subject) => {
    const next = waiting.get(channel);
    if (next) next.add(subject);
    else void send(channel, new Set([subject]));
  };
}

/** The subjects in a payload. An empty list means that anything can have changed. */
export function subjectsOf(payload: string): string[] {
  return payload === '' ? [] : payload.split(separator);
}

function payloadOf(subjects: Set<string>): string {
  const payload = [...subjects].join(separator);
  return subjects.has('') || payload.length > maxPayload ? '' : payload;
}
