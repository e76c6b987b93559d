import { useMutation, useQuery, useQueryClient, type UseQueryOptions } from '@tanstack/react-query';
import { notifyFailure } from './notify-failure.ts';
import { call } from './call.ts';
import { useOnce } from './once.ts';
import { keepPreviousPage } from './previous-page.ts';
import type { ResponseBody, Input, OperationId } from './operations.ts';
import { useSession } from './session.tsx';

type Options<Id extends OperationId> = Pick<
  UseQueryOptions<ResponseBody<Id>>,
  'enabled' | 'refetchInterval' | 'staleTime' | 'placeholderData' | 'throwOnError'
>;

/**
 * Reads data with an API operation. The previous page stays visible while the next one loads. If the request fails
 * before any data is loaded, `PageError` replaces the page. If a later request fails, the data stays visible below a
 * notice. What one user has read is not shown to the next one.
 */
export function useRead<Id extends OperationId>(id: Id, input: Input<Id>, options: Options<Id> = {}) {
  const { chain, user } = useSession();
  return useQuery<ResponseBody<Id>>({
    queryKey: [id, chain.chain_id, user.user_id, input],
    queryFn: ({ signal }) => call(chain.chain_id, id, input, { signal }),
    placeholderData: keepPreviousPage(input),
    throwOnError: (_error, { state }) => state.data === undefined,
    ...options,
  });
}

/**
 * Writes data with an API operation, then refetches the queries for the operations in `changes`. If the request fails,
 * a notification shows why, unless the caller shows it (`onError`).
 */
export function useChange<Id extends OperationId>(
  id: Id,
  changes: OperationId[] = [],
  onError: (error: Error) => void = notifyFailure,
) {
  const { chain } = useSession();
  const client = useQueryClient();
  const once = useOnce();
  return useMutation<ResponseBody<Id>, Error, Input<Id>>({
    mutationFn: (input) => once(id, input, (options) => call(chain.chain_id, id, input, options)),
    onError,
    onSuccess: () => Promise.all(changes.map((key) => client.invalidateQueries({ queryKey: [key] }))).then(() => {}),
  });
}
