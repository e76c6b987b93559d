import { createToken, createVendor, insertChain } from '../../server/src/identity/index.ts';
import type { Database } from '../../server/src/kernel/database/db.ts';
import { newId } from '../../server/src/kernel/values/ids.ts';

/** Creates a chain with 20 stores and a token. */
export async function createStores(db: Database): Promise<{ chainId: string; token: string }> {
  const chainId = newId();
  const token = await db.transaction(async (tx) => {
    await insertChain(tx, chainId, { name: 'Bench', profile: 'strict', country_code: 'AE' });
    for (let index = 0; index < 20; index++) {
      await createVendor(tx, chainId, {
        name: `Store ${index}`,
        currency: 'AED',
        country_code: 'AE',
        locale: 'en_AE',
        timezone: 'Asia/Dubai',
        transport_type: 'LOGISTICS_DELIVERY',
      });
    }
    return (await createToken(tx, chainId, { name: 'bench' }, 11)).token;
  });
  return { chainId, token };
}
