import pg from 'pg';
import { createLocator } from './servers.ts';

/** Receives notifications on a dedicated connection, and reconnects if the connection is lost. */
export type Listener = { isListening(): boolean; close(): Promise<void> };

export function listen(
  url: string,
  channels: Record<string, (payload: string) => void>,
  onConnected: () => void,
): Listener {
  let client: pg.Client | undefined;
  let closed = false;
  let listening = false;
  let timer: NodeJS.Timeout | undefined;

  const locator = createLocator(url);
  const connect = async () => {
    const candidate = new pg.Client({
      connectionString: locator.current(),
      application_name: 'aisle listener',
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    client = candidate;
    candidate.on('notification', ({ channel, payload = '' }) => channels[channel]?.(payload));
    candidate.on('error', () => onLost(candidate));
    candidate.on('end', () => onLost(candidate));
    try {
      await candidate.connect();
      await locator.check(candidate);
      for (const channel of Object.keys(channels)) await candidate.query(`listen ${channel}`);
      listening = true;
      onConnected();
    } catch {
      onLost(candidate);
    }
  };
  const reconnect = async () => {
    if (locator.hasChoice) await locator.locate().catch(() => {});
    if (!closed) await connect();
  };
  const onLost = (lost: pg.Client) => {
    if (lost !== client || closed) return;
    listening = false;
    client = undefined;
    lost.end().catch(() => {});
    timer = setTimeout(reconnect, 1000);
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
