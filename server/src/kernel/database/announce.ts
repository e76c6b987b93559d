/** Notifies the listeners on a channel. */
export type Announcer = (channel: string) => void;

/**
 * A NOTIFY inside a transaction serializes commits, because PostgreSQL holds a lock until the commit is on disk. So the
 * NOTIFY is sent after the commit, as a separate statement, and all transactions that commit while one NOTIFY is
 * running share the next one. A NOTIFY is lost if the process dies, so listeners must poll as well.
 */
export function createAnnouncer(notify: (channel: string) => Promise<unknown>): Announcer {
  const states = new Map<string, 'sending' | 'again'>();
  const send = async (channel: string) => {
    await notify(channel).catch(() => {});
    const again = states.get(channel) === 'again';
    states.delete(channel);
    if (again) start(channel);
  };
  const start = (channel: string) => {
    states.set(channel, 'sending');
    void send(channel);
  };
  return (channel) => {
    if (states.has(channel)) states.set(channel, 'again');
    else start(channel);
  };
}
