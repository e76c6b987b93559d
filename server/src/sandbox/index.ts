import type { Config } from '../config.ts';
import type { Subscriber } from '../events/index.ts';
import type { Feature } from '../feature.ts';
import { sandboxHandlers } from './handlers.ts';
import { planRides } from './ride-order.ts';
import { sandboxTasks } from './tasks.ts';

export { rejectUnready } from './send-test-order.ts';

type SandboxFeature = Feature<ReturnType<typeof sandboxHandlers>> & {
  /** Plans rides for test stores that have an automatic rider. */
  subscriber: Subscriber;
};

export function sandboxFeature(config: Config): SandboxFeature {
  return {
    subscriber: planRides,
    handlers: sandboxHandlers(config),
    tasks: sandboxTasks(config.links),
    chores: [],
    close: async () => {},
  };
}
