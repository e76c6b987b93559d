import type { Config } from '../config.ts';
import type { Feature } from '../kernel/feature.ts';
import { sandboxHandlers } from './handlers.ts';
import { sandboxTasks } from './tasks.ts';

export function sandboxFeature(config: Config): Feature<ReturnType<typeof sandboxHandlers>> {
  return {
    handlers: sandboxHandlers(config),
    tasks: sandboxTasks(() => config.publicUrl),
    chores: [],
    close: async () => {},
  };
}
