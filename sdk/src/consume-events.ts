import { AisleError, ApiError, ConnectionError, UnexpectedResponseError } from './errors.ts';
import type { Operations } from './generated/operations.ts';
import type { EventType, FeedEvent, ListEventsResponse } from './generated/models.ts';
import { retryAfterMs } from './retry.ts';
import { createSeenIds, type SeenIds } from './seen-ids.ts';
import { sleep } from './time.ts';

export type ConsumeOptions<Type extends EventType = EventType> = {
  /** The cursor that was saved last, `latest` for events from now on, or undefined for all events that are kept. */
  from?: string | undefined;
  /** Only these types are handled. Default: all. */
  types?: readonly Type[] | undefined;
  /** Events of the same order or job are handled one after the other, in the order in which they happened. */
  handle: (event: Extract<FeedEvent, { type: Type }>) => void | Promise<void>;
  /** Called when all events before the cursor have been handled. Pass the last one as `from` after a restart. */
  saveCursor?: ((cursor: string) => void | Promise<void>) | undefined;
  /** Ends the consumer after the events that are being handled. */
  signal?: AbortSignal | undefined;
  /** How many orders are handled at the same time. Default: 1, which keeps the order of all events. */
  concurrency?: number | undefined;
  /**
   * Decides what happens if `handle` throws. `attempt` starts at 1. Default: `stop`, so that `consumeEvents` throws the
   * error, and the event is handled again after a restart.
   */
  onError?: ((error: unknown, event: FeedEvent, attempt: number) => ErrorDecision | Promise<ErrorDecision>) | undefined;
  /** Called before the feed is read again after a temporary failure. It is read again for as long as it takes. */
  onRetry?: ((error: Error, delayMs: number) => void) | undefined;
  /**
   * Called before the next events are handled if events before them were deleted before they were read, because the
   * consumer was away for longer than events are kept. Read the current state, such as the changed orders, instead.
   */
  onGap?: (() => void | Promise<void>) | undefined;
  /** Which events were handled. Default: the last 10,000, in memory. */
  seen?: SeenIds | undefined;
  /** How many events are read at once. Default: 100. */
  limit?: number | undefined;
  /** How long the server waits for an event, in seconds. Default: 25. */
  waitSeconds?: number | undefined;
};

export type ErrorDecision = 'retry' | 'skip' | 'stop';

const maxDelayMs = 30_000;
/** The longest `Retry-After` that is respected, so that a wrong one does not end the consumer. */
const maxRetryAfterMs = 600_000;
/** If the server responds at once although there are no events, the feed is read this often. */
const minPollMs = 1000;

/**
 * Follows the feed until the signal is aborted. The cursor is saved only after the events before it were handled, so
 * no event is lost if the process is killed; events that are returned again are recognized by their ids.
 */
export async function consumeEvents<Type extends EventType>(
  client: Pick<Operations, 'listEvents'>,
  options: ConsumeOptions<Type>,
): Promise<void> {
  const { signal, seen = createSeenIds(), saveCursor, concurrency = 1 } = options;
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw new RangeError(`concurrency must be a whole number of at least 1, but it is ${concurrency}.`);
  }
  let cursor = options.from;
  while (!signal?.aborted) {
    const started = Date.now();
    const page = await readPage(client, cursor, options);
    if (page?.has_gap === true) await options.onGap?.();
    if (page === undefined || !(await handlePage(page.events, { ...options, seen }))) return;
    const isUnchanged = page.next_cursor === cursor;
    if (!isUnchanged) await saveCursor?.(page.next_cursor);
    cursor = page.next_cursor;
    if (isUnchanged) await sleep(Math.max(0, started + minPollMs - Date.now()), signal).catch(() => {});
  }
}

/** Returns undefined if the signal was aborted. */
async function readPage<Type extends EventType>(
  client: Pick<Operations, 'listEvents'>,
  after: string | undefined,
  { signal, limit = 100, waitSeconds = 25, onRetry }: ConsumeOptions<Type>,
): Promise<ListEventsResponse | undefined> {
  // The first cursor is needed at once, so that a restart does not skip events.
  const wait = after === 'latest' ? 0 : waitSeconds;
  for (let failures = 0; ; failures++) {
    try {
      return checkPage(await client.listEvents({ query: { after, limit, wait } }, { signal }));
    } catch (error) {
      if (signal?.aborted) return undefined;
      if (!isTemporary(error)) throw error;
      const backoff = Math.min(maxDelayMs, 1000 * 2 ** failures) * (0.5 + Math.random() / 2);
      const delayMs = Math.max(backoff, Math.min(maxRetryAfterMs, retryAfterMs(error) ?? 0));
      onRetry?.(error, delayMs);
      await sleep(delayMs, signal).catch(() => {});
    }
  }
}

/** A response of another form would be read for ever. */
function checkPage(page: ListEventsResponse): ListEventsResponse {
  const { events, next_cursor } = (page ?? {}) as Partial<ListEventsResponse>;
  if (Array.isArray(events) && typeof next_cursor === 'string') return page;
  throw new AisleError('The response is not a page of events.');
}

function isTemporary(error: unknown): error is Error {
  if (error instanceof ConnectionError) return true;
  const isResponse = error instanceof ApiError || error instanceof UnexpectedResponseError;
  return isResponse && (error.status >= 500 || error.status === 429);
}

/** Returns whether all events were handled before the signal was aborted. */
async function handlePage<Type extends EventType>(
  events: readonly FeedEvent[],
  options: ConsumeOptions<Type> & { seen: SeenIds },
): Promise<boolean> {
  const { signal, types, concurrency = 1 } = options;
  const isWanted = ({ type }: FeedEvent) => types === undefined || types.some((one) => one === type);
  const lanes = lanesOf(events.filter(isWanted), concurrency);
  let failure: { error: unknown } | undefined;
  let isStopped = false;
  const work = async () => {
    for (let lane = lanes.shift(); lane && !isStopped; lane = lanes.shift()) {
      for (const event of lane) {
        if (failure) return;
        const isHandled =
          !signal?.aborted &&
          (await handleOnce(event, options).catch((error: unknown) => {
            failure ??= { error };
            return false;
          }));
        if (!isHandled) isStopped = true;
        if (isStopped) return;
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  if (failure) throw failure.error;
  return !isStopped;
}

/** The events by order or job. With one lane, they keep the order of the feed. */
function lanesOf(events: readonly FeedEvent[], concurrency: number): FeedEvent[][] {
  const lanes = new Map<string, FeedEvent[]>();
  for (const event of events) {
    const key = concurrency === 1 ? '' : subjectOf(event);
    lanes.set(key, [...(lanes.get(key) ?? []), event]);
  }
  return [...lanes.values()];
}

function subjectOf({ event_id, body }: FeedEvent): string {
  const { order_id, job_id } = body as { order_id?: string; job_id?: string };
  return order_id ?? job_id ?? event_id;
}

/** Returns false if the signal was aborted before the event was handled. */
async function handleOnce<Type extends EventType>(
  event: FeedEvent,
  { handle, onError, seen, signal }: ConsumeOptions<Type> & { seen: SeenIds },
): Promise<boolean> {
  if (await seen.has(event.event_id)) return true;
  for (let attempt = 1; ; attempt++) {
    try {
      await handle(event as Extract<FeedEvent, { type: Type }>);
      break;
    } catch (error) {
      const decision = (await onError?.(error, event, attempt)) ?? 'stop';
      if (decision === 'stop') throw error;
      if (decision === 'skip') break;
      await sleep(Math.min(maxDelayMs, 500 * 2 ** attempt), signal).catch(() => {});
      if (signal?.aborted) return false;
    }
  }
  await seen.add(event.event_id);
  return true;
}
