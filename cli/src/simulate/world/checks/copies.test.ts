import assert from 'node:assert/strict';
import test from 'node:test';
import type { Offer } from '../evidence.ts';
import { checkCopies } from './copies.ts';

const offer: Offer = { chain_id: 'id-1', vendor_id: 'store', sku: 'MILK', quantity: 4, price: 2 };
const other: Offer = { ...offer, sku: 'BREAD' };

for (const [what, copies, messages] of [
  ['the same as the catalog', [other, offer], []],
  ['an old price', [{ ...offer, price: 3 }, other], ['a storefront has 4 for 3 of MILK, not 4 for 2']],
  ['an old quantity', [offer, { ...other, quantity: null }], ['a storefront has null for 2 of BREAD, not 4 for 2']],
  ['a product missing', [other], ['a storefront has nothing of MILK, not 4 for 2']],
  ['not been read', [], []],
] as [string, Offer[], string[]][]) {
  test(`a copy that has ${what} ${messages.length > 0 ? 'is a violation' : 'is correct'}`, () => {
    const found = checkCopies({ chains: [], offers: [offer, other], copies });
    assert.deepEqual(
      found.map(({ message }) => message.replace(/^.*: /, '')),
      messages,
    );
  });
}
