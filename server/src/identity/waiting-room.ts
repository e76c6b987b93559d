import { Failure } from '../kernel/failures/failure.ts';
import { siteOf } from '../kernel/outbound/addresses.ts';

/**
 * The sign-ins that wait, for a free slot or for the end of a delay. Their number is limited. When the limit is reached,
 * a newcomer takes the place of the newest sign-in from the network that has the most waiting, so a flood from a few
 * networks does not keep the others out. IPv6 networks of the same site count together, because one attacker can have
 * thousands of them.
 */
export type WaitingRoom = {
  /**
   * Fails with `rate_limited` if too many sign-ins from this network are waiting, and with `service_unavailable` if the
   * room is full and no network has more waiting than this one. `signal` is aborted when the client disconnects.
   */
  enter(network: string, signal?: AbortSignal): Waiter;
  /** Starts a waiting sign-in. Sites take turns, and so do the networks of a site. Returns false if none is waiting. */
  startNext(): boolean;
};

/** `started` fails if the client disconnects, or if another sign-in takes the place. */
export type Waiter = { started: Promise<void>; start(): void };

export function createWaitingRoom(limits: { total: number; perNetwork: number }): WaitingRoom {
  /** By site and network, in the order of their turns. */
  const sites = new Map<string, Site>();

  const enter = (network: string, signal?: AbortSignal): Waiter => {
    const site = siteOf(network);
    const own = sites.get(site)?.get(network) ?? [];
    if (signal?.aborted) throw disconnected();
    if (own.length >= limits.perNetwork) throw tooManyFromNetwork();
    if (total(sites.values()) >= limits.total) makeRoom(site, network);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      signal?.removeEventListener('abort', abort);
      remove(place);
    };
    const end = (failure: Failure) => {
      leave();
      reject(failure);
    };
    const abort = () => end(disconnected());
    const start = () => {
      leave();
      resolve();
    };
    const place: Place = { site, network, end, started: promise, start };
    signal?.addEventListener('abort', abort);
    add(place);
    return place;
  };
  const makeRoom = (site: string, network: string) => {
    const [largestSite, networks] = largest(sites, size);
    const [, waiting] = largest(networks, (places) => places.length);
    const isFair =
      largestSite === site
        ? (networks.get(network)?.length ?? 0) + 1 < waiting.length
        : size(sites.get(site) ?? new Map()) + 1 < size(networks);
    if (!isFair) throw tooMany();
    waiting.at(-1)?.end(tooManyFromNetwork());
  };
  const add = (place: Place) => {
    const networks = sites.get(place.site) ?? new Map();
    sites.set(place.site, networks.set(place.network, [...(networks.get(place.network) ?? []), place]));
  };
  const remove = (place: Place) => {
    const networks = sites.get(place.site);
    const rest = networks?.get(place.network)?.filter((one) => one !== place) ?? [];
    if (rest.length > 0) networks?.set(place.network, rest);
    else networks?.delete(place.network);
    if (networks?.size === 0) sites.delete(place.site);
  };
  return {
    enter,
    startNext() {
      const [site, networks] = moveFirstToEnd(sites) ?? [];
      const [, waiting] = (networks && moveFirstToEnd(networks)) ?? [];
      waiting?.[0]?.start();
      return site !== undefined;
    },
  };
}

type Place = Waiter & { site: string; network: string; end(failure: Failure): void };
/** The sign-ins from each network, the oldest first. */
type Site = Map<string, Place[]>;

function total(sites: Iterable<Site>): number {
  return [...sites].reduce((sum, site) => sum + size(site), 0);
}

function size(site: Site): number {
  return [...site.values()].reduce((sum, places) => sum + places.length, 0);
}

/** Among equals, the one whose turn comes last. */
function largest<Value>(entries: Map<string, Value>, sizeOf: (value: Value) => number): [string, Value] {
  return [...entries].reduce((most, entry) => (sizeOf(entry[1]) >= sizeOf(most[1]) ? entry : most));
}

function moveFirstToEnd<Value>(entries: Map<string, Value>): [string, Value] | undefined {
  const [first] = entries;
  if (!first) return undefined;
  entries.delete(first[0]);
  entries.set(...first);
  return first;
}

function tooManyFromNetwork(): Failure {
  return busy('rate_limited', 'Too many sign-ins from this address are being checked at the moment');
}

function tooMany(): Failure {
  return busy('service_unavailable', 'Too many sign-ins are being checked at the moment');
}

function busy(code: 'rate_limited' | 'service_unavailable', reason: string): Failure {
  return new Failure(code, `${reason}; try again in 5 s.`, { headers: { 'retry-after': '5' } });
}

/** No client reads this failure. A 503 would be logged as an error. */
function disconnected(): Failure {
  return new Failure('request_timeout', 'The client has disconnected.');
}
