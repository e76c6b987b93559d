import type { Config } from '../config.ts';
import type { Feature } from '../feature.ts';
import { certificationChores } from './chores.ts';
import { certificationHandlers } from './handlers.ts';
import { certificationTasks } from './tasks.ts';

export function certificationFeature(config: Config): Feature<ReturnType<typeof certificationHandlers>> {
  return {
    handlers: certificationHandlers(config),
    tasks: certificationTasks(config),
    chores: certificationChores,
    close: async () => {},
  };
}
