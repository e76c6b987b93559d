import { useAllPages } from '../api/all-pages.ts';
import type { ResponseBody } from '../api/operations.ts';

export type OutletStatus = ResponseBody<'getOutletStatus'>;

/** The status of each store, by its id. Undefined until it is loaded. */
export function useStatuses(): Map<string, OutletStatus> | undefined {
  // A failure must not replace the page: the status is shown next to other things.
  const { data } = useAllPages('listOutletStatuses', { refetchInterval: 15_000, throwOnError: false });
  return data && new Map(data.map((outlet) => [outlet.vendor_id, outlet]));
}

export function isOpen(status: OutletStatus | undefined): boolean {
  return status?.status === 'OPEN';
}

/** Whether the chain can open and close the store. The platform reopens a store that it has closed. */
export function canChange(status: OutletStatus | undefined): boolean {
  return status !== undefined && status.status !== 'CLOSED';
}
