import type { Quote, QuoteRequest } from '@aisle/contract/quotes';
import type { Static } from 'typebox';
import type { Links } from '../config.ts';
import type { VendorRow } from '../identity/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import { minorDigits } from '../kernel/values/currency.ts';
import { findGlobalUnits } from '../promotions/index.ts';
import { decideLines } from './decide-lines.ts';
import { loadQuote } from './load-placement.ts';
import { pricePlaced } from './price-lines.ts';
import { getFees, getTransport } from './read-terms.ts';
import { quoteResponse } from './rules/quote-response.ts';

export type Quoted = Omit<Static<typeof QuoteRequest>, 'chain_id' | 'vendor_id'>;

/**
 * Returns what `placeOrder` would store for this basket, or why it would reject it. Both check and price the items with
 * the same functions. A quote stores and reserves nothing.
 */
export async function quoteBasket(
  tx: Tx,
  chainId: string,
  vendor: VendorRow,
  basket: Quoted,
  now: Date,
  links: Links,
): Promise<Static<typeof Quote>> {
  getTransport(basket, vendor);
  const digits = minorDigits(vendor.currency);
  const fees = getFees(basket.payment ?? {}, digits);
  const { outlet, ...loaded } = await loadQuote(tx, chainId, vendor, basket.items, now);
  const { lines, errors, findTerms } = decideLines(vendor, basket.items, { ...loaded, suggestions: [] }, 'all');
  const priced = await pricePlaced(tx, chainId, lines, digits, { grantUnits: findGlobalUnits, findTerms });
  return quoteResponse({ vendor, outlet, offers: loaded.offers, lines: priced, errors, fees, now }, links);
}
