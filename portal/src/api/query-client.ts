import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { noteReach } from './reach.ts';
import { sessionKey } from './session.tsx';

/** A session that has ended shows the sign-in page, whichever call noticed it. */
export function createClient(): QueryClient {
  const onError = (error: unknown) => {
    if (!(error instanceof ApiError)) return;
    noteReach(error.status !== 0);
    if (error.problem.code === 'invalid_token') client.setQueryData(sessionKey, null);
  };
  const onSuccess = () => noteReach(true);
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError, onSuccess }),
    mutationCache: new MutationCache({ onError, onSuccess }),
    defaultOptions: { queries: { staleTime: 5000, retry: isWorthAnotherTry, refetchOnWindowFocus: true } },
  });
  return client;
}

function isWorthAnotherTry(failures: number, error: unknown): boolean {
  const status = error instanceof ApiError ? error.status : 500;
  return failures < 2 && (status === 0 || status === 429 || status >= 500);
}
