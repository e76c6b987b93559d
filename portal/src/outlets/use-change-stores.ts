import { useChange } from '../api/hooks.ts';
import type { Body, ResponseBody } from '../api/operations.ts';
import { useStore } from '../api/store.tsx';
import { notifyDone } from '../kit/notify.ts';
import { errorText } from '../messages/server-text.ts';
import { useMessages } from '../messages/use-messages.ts';

type Results = ResponseBody<'putOutletStatuses'>['results'];

/** Opens or closes stores with one request, and says how many were changed. */
export function useChangeStores() {
  const t = useMessages();
  const { stores } = useStore();
  const put = useChange('putOutletStatuses', ['listOutletStatuses', 'getOutletStatus']);
  const change = (body: Body<'putOutletStatuses'>, onDone: () => void = () => {}) =>
    put.mutate(
      { body },
      {
        onSuccess: ({ results }) => {
          const count = results.filter((result) => result.is_changed).length;
          if (count > 0) notifyDone(t(body.status === 'OPEN' ? 'outlets.opened' : 'outlets.closed', { count }));
          if (count === results.length) onDone();
        },
      },
    );
  const nameOf = (id: string) => stores.find((store) => store.vendor_id === id)?.name ?? id;
  const failures = failuresIn(put.data?.results ?? []).map(
    ({ vendor_id, detail }) => `${nameOf(vendor_id)}: ${detail}`,
  );
  return { change, failures, isPending: put.isPending };
}

function failuresIn(results: Results): { vendor_id: string; detail: string }[] {
  return results.flatMap(({ vendor_id, error }) => (error ? [{ vendor_id, detail: errorText(error) ?? '' }] : []));
}
