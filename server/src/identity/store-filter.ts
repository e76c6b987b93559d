import { invalid, notFound } from '../kernel/failures/failure.ts';
import type { Lookups } from './lookups.ts';
import type { ChainRow, VendorRow } from './queries.ts';

/** A filter of the platform's lists. External ids of vendors are unique only within a chain. */
export type StoreFilter = { chain_id?: string | undefined; vendor_id?: string | undefined };

/** The chain and the vendor that the platform names in a filter, each undefined if it names none. */
export async function getFilteredStore(
  lookups: Lookups,
  { chain_id: chainId, vendor_id: vendorId }: StoreFilter,
): Promise<{ chain: ChainRow | undefined; vendor: VendorRow | undefined }> {
  if (vendorId !== undefined && chainId === undefined) {
    const message = 'is required with vendor_id, because external ids are unique only within a chain';
    throw invalid([{ pointer: 'chain_id', code: 'missing', message }]);
  }
  const chain = chainId === undefined ? undefined : await getChainById(lookups, chainId);
  const vendor = chain && vendorId !== undefined ? await getVendorById(lookups, chain, vendorId) : undefined;
  return { chain, vendor };
}

export async function getChainById(lookups: Lookups, chainId: string): Promise<ChainRow> {
  const chain = await lookups.chain(chainId.toLowerCase());
  if (!chain) throw notFound('chain_not_found', chainId, null);
  return chain;
}

export async function getVendorById(lookups: Lookups, chain: ChainRow, vendorId: string): Promise<VendorRow> {
  const vendor = await lookups.vendor(chain.chain_id, vendorId);
  if (!vendor) throw notFound('vendor_not_found', vendorId);
  return vendor;
}
