import assert from 'node:assert/strict';
import test from 'node:test';
import { endOfChanges, listProductChanges } from '../../../src/catalog/list-changes.ts';
import type { Database } from '../../../src/kernel/database/db.ts';
import { createVendor } from '../../../src/identity/index.ts';
import { makeChain, useAisle } from '../../support/aisle.ts';
import { addProducts, plainProducts } from '../../support/catalog.ts';

const aisle = await useAisle();

const store = {
  name: 'New store',
  external_id: 'new',
  currency: 'AED',
  country_code: 'AE',
  locale: 'en_AE',
  timezone: 'Asia/Dubai',
  transport_type: 'LOGISTICS_DELIVERY',
} as const;

test('products of a store that is created while changes are read are not skipped', async () => {
  const chain = await makeChain(aisle, { vendors: 1 });
  await addProducts(aisle, chain, plainProducts(1));
  const listVendorIds = async () => {
    const sql = 'select vendor_id from vendors where chain_id = $1 order by 1';
    return (await aisle.db.query<{ vendor_id: string }>(sql, [chain.chainId])).map(({ vendor_id }) => vendor_id);
  };
  const cursor = await endOfChanges(aisle.db, chain.chainId);
  const walk = { cursor, since: undefined, listVendorIds, limit: 10 };
  let isCreated = false;
  const query: Database['query'] = async (...statement) => {
    if (!isCreated && statement[0].includes('position > $2 order by position')) {
      isCreated = true;
      const { vendor_id: vendor } = await aisle.db.transaction((tx) => createVendor(tx, chain.chainId, store));
      await addProducts(aisle, chain, [{ sku: 'NEW', title: 'New', price: 3 }], [vendor]);
      await endOfChanges(aisle.db, chain.chainId);
    }
    return aisle.db.query(...statement);
  };
  const db = new Proxy(aisle.db, { get: (target, name) => (name === 'query' ? query : Reflect.get(target, name)) });
  const { rows } = await listProductChanges(db, chain.chainId, walk);
  assert.deepEqual(
    rows.map(({ sku }) => sku),
    ['NEW'],
  );
});
