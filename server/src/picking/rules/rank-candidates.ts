import type { candidateReasons } from '@aisle/contract/picking-state';
import type { CandidateRow } from '../../catalog/index.ts';

export type Reason = (typeof candidateReasons)[number];
export type Candidate = { sku: string; reason: Reason };
export type ReplacedItem = {
  sku: string;
  isWeighed: boolean;
  /** The SKUs that the customer suggested, in the customer's order. */
  suggested: readonly string[];
  /** The SKUs that are in the order. */
  ordered: ReadonlySet<string>;
};

/**
 * The candidates that can replace the item: the customer's suggestions first, then those of the same category, then
 * those with a similar title, in each group those with the highest score first. Products that are in the order are left
 * out, and for an item sold by weight also those sold by weight, unless the store allows that.
 */
export function rankCandidates(
  candidates: readonly CandidateRow[],
  { suggested, ordered, isWeighed }: ReplacedItem,
  hasWeightedReplacement: boolean,
): Candidate[] {
  const isAllowed = (row: CandidateRow) =>
    !ordered.has(row.sku) && (hasWeightedReplacement || !(isWeighed && row.is_sold_by_weight));
  const allowed = candidates.filter(isAllowed).toSorted((a, b) => b.score - a.score);
  const bySku = new Map(allowed.map((row) => [row.sku, row]));
  const wanted = suggested.filter((sku) => bySku.has(sku));
  const others = allowed.filter(({ sku }) => !wanted.includes(sku));
  const [same, similar] = [others.filter((row) => row.is_same_category), others.filter((row) => !row.is_same_category)];
  return [
    ...wanted.map((sku) => ({ sku, reason: 'SUGGESTED' as const })),
    ...same.map(({ sku }) => ({ sku, reason: 'SAME_CATEGORY' as const })),
    ...similar.map(({ sku }) => ({ sku, reason: 'SIMILAR' as const })),
  ];
}
