import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { recordReachability } from './reach.ts';
import { sessionKey } from './session.tsx';
import { onSignInElsewhere, type Site } from './signed-in.ts';

/** If a call fails because the session has ended, the sign-in page is shown. `endedKey` is the query of the session. */
export function createClient(endedKey: readonly string[] = sessionKey, site: Site = 'portal'): QueryClient {
  const onError = (error: unknown) => {
    if (!(error instanceof ApiError)) return;
    recordReachability(error.status !== 0);
    if (error.problem.code === 'invalid_token') client.setQueryData(endedKey, null);
  };
  const onSuccess = () => recordReachability(true);
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError, onSuccess }),
    mutationCache: new MutationCache({ onError, onSuccess }),
    defaultOptions: { queries: { staleTime: 5000, retry: shouldRetry, refetchOnWindowFocus: true } },
  });
  onSignInElsewhere(site, () => void client.invalidateQueries({ queryKey: endedKey }));
  return client;
}

function shouldRetry(failures: number, error: unknown): boolean {
  const status = error instanceof ApiError ? error.status : 500;
  return failures < 2 && (status === 0 || status === 429 || status >= 500);
}
