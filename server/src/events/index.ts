import type { Config } from '../config.ts';
import type { Feature } from '../feature.ts';
import { eventChores } from './chores.ts';
import { createWaits } from '../kernel/http/waits.ts';
import { eventHandlers } from './handlers.ts';
import { type FindStore, platformFeedHandlers } from './platform-handlers.ts';
import { anyChain } from './read-platform-feed.ts';

export { productEventDays } from './chores.ts';
export { registerEventMetrics } from './metrics.ts';
export { hasFeedRead, recordPlatformEvent } from './platform-queries.ts';
export { type Published, type Publisher, startPublisher, type Subscriber } from './publish-events.ts';
export {
  hasEvent,
  lockAllPublishing,
  lockPublishing,
  type PublishedEvent,
  publishedChannel,
  recordedChannel,
  recordEvent,
  skipPositions,
  type StagedFault,
  stageFault,
} from './queries.ts';

export { visibleTypes } from './rules/visible-types.ts';
export { watchPublishing } from './watch-publishing.ts';

type EventsFeature = Feature<ReturnType<typeof eventHandlers> & ReturnType<typeof platformFeedHandlers>> & {
  /** Call this when events have been published. `chainIds` is space-separated; an empty string means all chains. */
  wakeReaders(chainIds: string): void;
  /** Responds to all waiting readers, so that the server can close. */
  endWaits(): void;
};

/** `isSharded` says whether the database is distributed. */
export function eventsFeature(config: Config, findStore: FindStore, isSharded: boolean): EventsFeature {
  const waits = createWaits();
  return {
    handlers: { ...eventHandlers(waits), ...platformFeedHandlers(waits, findStore, isSharded) },
    tasks: {},
    chores: eventChores(config),
    wakeReaders: (chainIds) => waits.wake(chainIds === '' ? [] : [...chainIds.split(' '), anyChain]),
    endWaits: waits.end,
    close: async () => {},
  };
}
