import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createLocator, destroy } from './servers.ts';

/** Receives notifications on a dedicated connection, and reconnects if the connection is lost. */
export type Listener = { isListening(): boolean; close(): Promise<void> };

const probeMs = 1000;
const maxSilenceMs = 3000;
const maxCloseMs = 2000;

/** `onLost` is called once until it is connected again. */
export function listen(
  url: string,
  channels: Record<string, (payload: string) => void>,
  { onConnected, onLost }: { onConnected(): void; onLost(error: Error): void },
): Listener {
  let client: pg.Client | undefined;
  let closed = false;
  let listening = false;
  let isReported = false;
  let timer: NodeJS.Timeout | undefined;

  const locator = createLocator(url);
  const connect = async () => {
    const candidate = new pg.Client({
      connectionString: locator.current(),
      application_name: 'aisle listener',
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: 5000,
      query_timeout: maxSilenceMs,
    });
    client = candidate;
    candidate.on('notification', ({ channel, payload = '' }) => channels[channel]?.(payload));
    candidate.on('error', (error) => reconnectAfter(candidate, error));
    candidate.on('end', () => reconnectAfter(candidate, new Error('The connection was closed')));
    try {
      await candidate.connect();
      await locator.check(candidate);
      for (const channel of Object.keys(channels)) await candidate.query(`listen ${channel}`);
      if (candidate !== client) return;
      listening = true;
      isReported = false;
      onConnected();
      await probe(candidate, () => candidate === client);
    } catch (error) {
      reconnectAfter(candidate, error as Error);
    }
  };
  const reconnect = async () => {
    if (locator.hasChoice) await locator.locate().catch(() => {});
    if (!closed) await connect();
  };
  const reconnectAfter = (lost: pg.Client, error: Error) => {
    if (lost !== client || closed) return;
    if (!isReported) onLost(error);
    isReported = true;
    listening = false;
    client = undefined;
    destroy(lost);
    timer = setTimeout(reconnect, 1000);
  };

  if (locator.hasChoice) {
    locator.onMoved(() => client && reconnectAfter(client, new Error('The database has another primary')));
  }
  void connect();
  return {
    isListening: () => listening,
    async close() {
      closed = true;
      listening = false;
      clearTimeout(timer);
      locator.close();
      if (!client) return;
      await Promise.race([client.end().catch(() => {}), sleep(maxCloseMs, undefined, { ref: false })]);
      destroy(client);
    },
  };
}

/** A connection to a server that is frozen or cut off neither fails nor receives anything. Fails if it is silent. */
async function probe(client: pg.Client, isUsed: () => boolean): Promise<void> {
  while (isUsed()) {
    await client.query('select 1');
    await sleep(probeMs, undefined, { ref: false });
  }
}
