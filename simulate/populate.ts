import { scopes } from '@aisle/contract/route';
import type { Chain } from '../cli/src/simulate/world/chain.ts';
import { productsOf } from '../cli/src/simulate/world/products.ts';
import { storesOf } from '../cli/src/simulate/world/stores.ts';
import type { ChainPlan, World } from '../cli/src/simulate/world/world.ts';
import { createProductsNow } from '../server/src/catalog/create-now.ts';
import { createToken, createVendor, insertChain } from '../server/src/identity/index.ts';
import type { Database, Tx } from '../server/src/kernel/database/db.ts';
import { newId } from '../server/src/kernel/values/ids.ts';

/** Creates the chains with their stores and products. */
export async function populate(db: Database, world: World): Promise<Chain[]> {
  const chains: Chain[] = [];
  for (const plan of world.chains) chains.push(await db.transaction((tx) => createChain(tx, plan)));
  return chains;
}

async function createChain(tx: Tx, plan: ChainPlan): Promise<Chain> {
  const chainId = newId();
  await insertChain(tx, chainId, { name: plan.tag, profile: plan.profile, country_code: 'AE' });
  const vendors: string[] = [];
  for (const store of storesOf(plan)) {
    const vendor = await createVendor(tx, chainId, store);
    vendors.push(vendor.vendor_id);
    await createProductsNow(tx, chainId, { vendor_id: vendor.vendor_id, locale: 'en_AE' }, productsOf(plan));
  }
  const { token } = await createToken(tx, chainId, { name: plan.tag, scopes: [...scopes] }, 100);
  return { ...plan, chainId, token, base: `/v2/chains/${chainId}`, vendors };
}
