import { useRead } from '../api/hooks.ts';
import type { ResponseBody } from '../api/operations.ts';

export type Statistics = ResponseBody<'getStatistics'>;

/** Statistics for the last 14 days, for one store or for all stores. */
export function useStatistics(vendorId: string | undefined): Statistics | undefined {
  const query = vendorId === undefined ? {} : { vendor_id: vendorId };
  return useRead('getStatistics', { query }, { refetchInterval: 30_000 }).data;
}
