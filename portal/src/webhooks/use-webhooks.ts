import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useAllPages } from '../api/all-pages.ts';
import { call } from '../api/call.ts';
import { useOnce } from '../api/once.ts';
import type { ResponseBody, Body } from '../api/operations.ts';
import { useSession } from '../api/session.tsx';
import { notifyFailure } from '../api/notify-failure.ts';

export type Webhook = ResponseBody<'listWebhooks'>['webhooks'][number];
export type WebhookInput = Body<'putWebhook'>;
/** The id of a store, or null for the chain. */
export type WebhookOwner = string | null;

export function useWebhooks(): Webhook[] | undefined {
  return useAllPages('listWebhooks', { refetchInterval: 5000 }).data;
}

/** Actions on the chain's webhook or on a store's webhook. */
export function useWebhookActions(owner: WebhookOwner) {
  const { chain } = useSession();
  const client = useQueryClient();
  const once = useOnce();
  const id = chain.chain_id;
  const params = { vendor_id: owner ?? '' };
  const onSuccess = async () => {
    await client.invalidateQueries({ queryKey: ['listWebhooks'] });
    await client.invalidateQueries({ queryKey: ['listDeliveries'] });
  };
  const action = <Result>(run: () => Promise<Result>) => ({ mutationFn: run, onSuccess, onError: notifyFailure });
  return {
    save: useMutation({
      mutationFn: (body: WebhookInput) =>
        owner === null ? call(id, 'putWebhook', { body }) : call(id, 'putVendorWebhook', { params, body }),
      onSuccess,
      // The form shows the errors at its fields.
    }),
    remove: useMutation(
      action(() => (owner === null ? call(id, 'deleteWebhook', {}) : call(id, 'deleteVendorWebhook', { params }))),
    ),
    rotate: useMutation(
      action(() =>
        once('rotateWebhookSecret', owner, (options) =>
          owner === null
            ? call(id, 'rotateWebhookSecret', {}, options)
            : call(id, 'rotateVendorWebhookSecret', { params }, options),
        ),
      ),
    ),
    ping: useMutation(
      action(() => (owner === null ? call(id, 'pingWebhook', {}) : call(id, 'pingVendorWebhook', { params }))),
    ),
    enable: useMutation(
      action(() => (owner === null ? call(id, 'enableWebhook', {}) : call(id, 'enableVendorWebhook', { params }))),
    ),
    disable: useMutation(
      action(() => (owner === null ? call(id, 'disableWebhook', {}) : call(id, 'disableVendorWebhook', { params }))),
    ),
  };
}
