import type { Config } from '../config.ts';
import type { Feature } from '../feature.ts';
import { storefrontHandlers } from './handlers.ts';

export { startProductEvents } from './product-events.ts';

export function storefrontFeature(config: Config): Feature<ReturnType<typeof storefrontHandlers>> {
  return { handlers: storefrontHandlers(config), tasks: {}, chores: [], close: async () => {} };
}
