import { createShowProducts, type FindPromotions, limitShowing } from '../catalog/index.ts';
import type { Config } from '../config.ts';
import type { Feature } from '../feature.ts';
import type { Lookups } from '../identity/index.ts';
import { subjectsOf } from '../kernel/database/announce.ts';
import { createWaits } from '../kernel/http/waits.ts';
import { pickingHandlers } from './handlers.ts';

type PickingFeature = Feature<ReturnType<typeof pickingHandlers>> & {
  /** Call this with the payload of a notification on `orderChannel`. */
  wakeReaders(payload: string): void;
  /** Responds to all waiting readers, so that the server can close. */
  endWaits(): void;
};

export function pickingFeature(config: Config, lookups: Lookups, findPromotions: FindPromotions): PickingFeature {
  const waits = createWaits();
  return {
    handlers: pickingHandlers(config, lookups, waits, limitShowing(createShowProducts(config, findPromotions))),
    tasks: {},
    chores: [],
    wakeReaders: (payload) => waits.wake(subjectsOf(payload)),
    endWaits: waits.end,
    close: async () => {},
  };
}
