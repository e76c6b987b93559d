import { deliveryStatuses } from '@aisle/contract/deliveries';

/** The URL search parameters of the deliveries page. */
export type DeliverySearch = {
  status?: (typeof deliveryStatuses)[number] | undefined;
  open?: string | undefined;
  page?: number | undefined;
};

export function parseDeliverySearch(search: Record<string, unknown>): DeliverySearch {
  return {
    status: deliveryStatuses.find((status) => status === search['status']),
    open: typeof search['open'] === 'string' ? search['open'] : undefined,
    page: Number(search['page']) > 1 ? Math.floor(Number(search['page'])) : undefined,
  };
}
