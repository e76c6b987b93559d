import type { FindForeign } from './foreign.ts';
import { digest, type History } from './history.ts';
import { type Receivers, startReceivers } from './receivers.ts';
import type { World } from './world.ts';

/** Where the receivers listen. */
export type ReceiverAddress = { host: string; listenOn: string };

/** Starts the receivers of all chains, which record the messages that arrive in the history. */
export function openReceivers(
  { chains }: World,
  history: History,
  findForeign: FindForeign,
  random: () => number,
  address?: ReceiverAddress,
): Promise<Receivers> {
  const behaviors = chains.map(({ tag, receiver }) => [tag, receiver === 'wrong-tls' ? 'healthy' : receiver] as const);
  return startReceivers({
    behaviors: new Map(behaviors),
    random,
    ...address,
    onArrival({ chainId: chain, id, text }) {
      // A request that was cut off while it was being sent has no complete body.
      if (text === '') return;
      history.arrivals.push({ chain, eventId: id, digest: digest(JSON.parse(text)) });
      const foreign = findForeign(chain, text, '');
      if (foreign === undefined) return;
      history.violations.push({ rule: 'no foreign data', message: `event ${id} to ${chain} contains ${foreign}` });
    },
  });
}
