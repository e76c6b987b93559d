import type { ChainPlan } from './world.ts';

/** The stores of a chain, as they are created. */
export function storesOf({ tag, stores }: ChainPlan) {
  return stores.map(({ name, transport }, index) => ({
    name,
    external_id: `${tag}-${index + 1}`,
    currency: 'AED',
    country_code: 'AE',
    locale: 'en_AE',
    timezone: 'Asia/Dubai',
    transport_type: transport,
  }));
}
