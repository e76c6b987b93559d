import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/call.ts';
import { useRead } from '../api/hooks.ts';
import type { ResponseBody, Body } from '../api/operations.ts';
import { useSession } from '../api/session.tsx';
import { notifyFailure } from '../api/notify-failure.ts';

export type Webhook = ResponseBody<'listWebhooks'>['webhooks'][number];
export type WebhookInput = Body<'putWebhook'>;
/** Null: the default of the chain. */
export type Place = string | null;

export function useWebhooks(): Webhook[] | undefined {
  return useRead('listWebhooks', { query: { page_size: 500 } }, { refetchInterval: 5000 }).data?.webhooks;
}

/** Every act exists for the chain's default and for a store's own. */
export function useWebhookActs(place: Place) {
  const { chain } = useSession();
  const client = useQueryClient();
  const id = chain.chain_id;
  const params = { vendor_id: place ?? '' };
  const onSuccess = async () => {
    await client.invalidateQueries({ queryKey: ['listWebhooks'] });
    await client.invalidateQueries({ queryKey: ['listDeliveries'] });
  };
  const act = <Result>(run: () => Promise<Result>) => ({ mutationFn: run, onSuccess, onError: notifyFailure });
  return {
    save: useMutation({
      mutationFn: (body: WebhookInput) =>
        place === null ? call(id, 'putWebhook', { body }) : call(id, 'putVendorWebhook', { params, body }),
      onSuccess,
      onError: notifyFailure,
    }),
    remove: useMutation(
      act(() => (place === null ? call(id, 'deleteWebhook', {}) : call(id, 'deleteVendorWebhook', { params }))),
    ),
    rotate: useMutation(
      act(() =>
        place === null ? call(id, 'rotateWebhookSecret', {}) : call(id, 'rotateVendorWebhookSecret', { params }),
      ),
    ),
    ping: useMutation(
      act(() => (place === null ? call(id, 'pingWebhook', {}) : call(id, 'pingVendorWebhook', { params }))),
    ),
    enable: useMutation(
      act(() => (place === null ? call(id, 'enableWebhook', {}) : call(id, 'enableVendorWebhook', { params }))),
    ),
    disable: useMutation(
      act(() => (place === null ? call(id, 'disableWebhook', {}) : call(id, 'disableVendorWebhook', { params }))),
    ),
  };
}
