import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/call.ts';
import { notifyFailure } from '../api/notify-failure.ts';
import type { Body, ResponseBody } from '../api/operations.ts';
import { useSession } from '../api/session.tsx';
import { useStore } from '../api/store.tsx';
import { notifyDone } from '../kit/notify.ts';
import { errorText } from '../messages/server-text.ts';
import { useMessages } from '../messages/use-messages.ts';

type ChangedStores = Body<'putOutletStatuses'>;
type Results = ResponseBody<'putOutletStatuses'>['results'];

/** Opens or closes stores, and says how many were changed. */
export function useChangeStores() {
  const t = useMessages();
  const { stores } = useStore();
  const { chain } = useSession();
  const client = useQueryClient();
  const put = useMutation({
    mutationFn: (body: ChangedStores) => putInBatches(chain.chain_id, body),
    onError: notifyFailure,
    // Also after a failure, because the first batches can have been changed.
    onSettled: () =>
      Promise.all(['listOutletStatuses', 'getOutletStatus'].map((id) => client.invalidateQueries({ queryKey: [id] }))),
  });
  const change = (body: ChangedStores, onDone: () => void = () => {}) =>
    put.mutate(body, {
      onSuccess: (results) => {
        const count = results.filter((result) => result.is_changed).length;
        if (count > 0) notifyDone(t(body.status === 'OPEN' ? 'outlets.opened' : 'outlets.closed', { count }));
        if (count === results.length) onDone();
      },
    });
  const nameOf = (id: string) => stores.find((store) => store.vendor_id === id)?.name ?? id;
  const failures = failuresIn(put.data ?? []).map(({ vendor_id, detail }) => `${nameOf(vendor_id)}: ${detail}`);
  return { change, failures, isPending: put.isPending };
}

async function putInBatches(chainId: string, { vendor_ids, ...change }: ChangedStores): Promise<Results> {
  const results: Results = [];
  for (let first = 0; first < vendor_ids.length; first += maxBatch) {
    const body = { ...change, vendor_ids: vendor_ids.slice(first, first + maxBatch) };
    results.push(...(await call(chainId, 'putOutletStatuses', { body })).results);
  }
  return results;
}

/** The number of stores in a request. */
const maxBatch = 1000;

function failuresIn(results: Results): { vendor_id: string; detail: string }[] {
  return results.flatMap(({ vendor_id, error }) => (error ? [{ vendor_id, detail: errorText(error) ?? '' }] : []));
}
