import pg from 'pg';

/** A connection of its own that hears what other processes notify, and comes back by itself when it is lost. */
export type Listener = { isListening(): boolean; close(): Promise<void> };

export function listen(
  url: string,
  channels: Record<string, (payload: string) => void>,
  onRegained: () => void,
): Listener {
  let client: pg.Client | undefined;
  let closed = false;
  let listening = false;
  let timer: NodeJS.Timeout | undefined;

  const connect = async () => {
    const fresh = new pg.Client({ connectionString: url, application_name: 'aisle listener', keepAlive: true });
    client = fresh;
    fresh.on('notification', ({ channel, payload = '' }) => channels[channel]?.(payload));
    fresh.on('error', () => lost(fresh));
    fresh.on('end', () => lost(fresh));
    try {
      await fresh.connect();
      for (const channel of Object.keys(channels)) await fresh.query(`listen ${channel}`);
      listening = true;
      onRegained();
    } catch {
      lost(fresh);
    }
  };
  const lost = (which: pg.Client) => {
    if (which !== client || closed) return;
    listening = false;
    client = undefined;
    which.end().catch(() => {});
    timer = setTimeout(connect, 1000);
  };

  void connect();
  return {
    isListening: () => listening,
    async close() {
      closed = true;
      listening = false;
      clearTimeout(timer);
      await client?.end().catch(() => {});
    },
  };
}
