import type { sandboxRoutes } from '@aisle/contract/sandbox';
import type { BodyOf } from '@aisle/contract/route';

/** How a test order shall end, as it was asked for. */
export type Expectation = BodyOf<typeof sandboxRoutes.createTestOrder>;

/** What a store still lacks before it can be sent test orders. */
export function missingForTest(
  vendor: { integration_type: string | null; integration_enabled: boolean },
  hasWebhook: boolean,
): string[] {
  return [
    ...(vendor.integration_type === null ? ['integration_type'] : []),
    ...(hasWebhook ? [] : ['webhook']),
    ...(vendor.integration_enabled ? [] : ['integration_enabled']),
  ];
}

/** Each SKU with its default amount, in the measure it is sold by. */
export function testItems(items: Expectation['items'], isWeighted: (sku: string) => boolean) {
  return items.map(({ sku, quantity = 1, weight = 1 }) => (isWeighted(sku) ? { sku, weight } : { sku, quantity }));
}
