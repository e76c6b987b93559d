/** Tells the listeners of a channel that there is something to look at. */
export type Announcer = (channel: string) => void;

/**
 * A NOTIFY inside a transaction makes commits wait for one another, since PostgreSQL takes a lock for it until the
 * commit is on disk. So it is sent after the commit, on its own, and once for all commits that happen meanwhile. It is
 * lost with the process: whoever listens must look by the clock as well.
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
