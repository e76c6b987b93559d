import type { sandboxRoutes } from '@aisle/contract/sandbox';
import type { BodyOf } from '@aisle/contract/route';

/** The requested contents and outcome of a test order. */
export type Expectation = BodyOf<typeof sandboxRoutes.createTestOrder>;

/** Lists what a store still needs before it can get test orders. */
export function findMissingRequirements(
  vendor: { integration_type: string | null; integration_enabled: boolean },
  hasWebhook: boolean,
): string[] {
  return [
    ...(vendor.integration_type === null ? ['integration_type'] : []),
    ...(hasWebhook ? [] : ['webhook']),
    ...(vendor.integration_enabled ? [] : ['integration_enabled']),
  ];
}

/** Returns each SKU with its quantity or weight, depending on how the product is sold. Both default to 1. */
export function testItems(items: Expectation['items'], isWeighted: (sku: string) => boolean) {
  return items.map(({ sku, quantity = 1, weight = 1 }) => (isWeighted(sku) ? { sku, weight } : { sku, quantity }));
}
