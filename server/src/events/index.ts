import type { Config } from '../config.ts';
import type { Feature } from '../feature.ts';
import { eventChores } from './chores.ts';
import { createWaits } from '../kernel/http/waits.ts';
import { eventHandlers } from './handlers.ts';

export { registerEventMetrics } from './metrics.ts';
export { type Publisher, startPublisher, type Subscriber } from './publish-events.ts';
export {
  hasEvent,
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

type EventsFeature = Feature<ReturnType<typeof eventHandlers>> & {
  /** Call this when events have been published. `chainIds` is space-separated; an empty string means all chains. */
  wakeReaders(chainIds: string): void;
  /** Responds to all waiting readers, so that the server can close. */
  endWaits(): void;
};

export function eventsFeature(config: Config): EventsFeature {
  const waits = createWaits();
  return {
    handlers: eventHandlers(waits),
    tasks: {},
    chores: eventChores(config),
    wakeReaders: (chainIds) => waits.wake(chainIds === '' ? [] : chainIds.split(' ')),
    endWaits: waits.end,
    close: async () => {},
  };
}
