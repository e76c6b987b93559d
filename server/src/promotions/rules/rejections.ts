import type { SubCode } from '@aisle/contract/sub-codes';
import type { Feedback } from '../../jobs/index.ts';

/** The reasons why a SKU in a request is not applied at a vendor, keyed by the code in the result file. */
export const rejections = {
  product_not_found: { status: 'MISSING', reason: 'The vendor has no product with this SKU.' },
  not_in_promotion: { status: 'ABSENT', reason: 'The promotion does not contain this SKU, so it cannot be removed.' },
  bundle_sold_by_weight: {
    status: 'POINTLESS',
    reason: 'The product is sold by weight, but bundles only work for products sold by unit.',
  },
  discount_not_below_price: { status: 'POINTLESS', reason: 'The discounted price is at or above the regular price.' },
} as const satisfies Partial<Record<SubCode<'item'>, { status: Feedback['status']; reason: string }>>;

export type RejectionCode = keyof typeof rejections;
export type RejectionStatus = (typeof rejections)[RejectionCode]['status'];
