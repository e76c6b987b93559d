import type { routes } from '@aisle/contract/index';
import { isPlatformRoleAllowed } from '@aisle/contract/route';
import type { PathParams, QueryOf, ResponseOf, Route, RouteBody } from '@aisle/contract/route';
import { platformOperations } from '@aisle/sdk/operations';
import { type ApiResponse, createRequester, pathOf } from '@aisle/sdk/request';
import { useMutation, useQuery, useQueryClient, type UseQueryOptions } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import type { Static } from 'typebox';
import { shownError, withoutEmpty } from '../api/call.ts';
import { ApiError } from '../api/api-error.ts';
import { recordSignedIn, wasSignedIn } from '../api/signed-in.ts';
import { notifyFailure } from '../api/notify-failure.ts';
import { useOnce } from '../api/once.ts';
import { keepPreviousPage } from '../api/previous-page.ts';

/** The operations of the platform API, which the console calls with its own session. */
type Routes = typeof routes;
export type PlatformId = {
  [Id in keyof Routes]: Routes[Id]['api'] extends 'platform' ? Id : never;
}[keyof Routes];

type Part<Name extends string, Value> = keyof Value extends never ? object : { [N in Name]: Value };
type BodySent<R extends Route> = R['body'] extends RouteBody ? Static<R['body']['schema']> : undefined;
type Query<Id extends PlatformId> = Partial<QueryOf<Routes[Id]>>;
type Body<Id extends PlatformId> = BodySent<Routes[Id]>;
export type PlatformInput<Id extends PlatformId> = Part<'params', PathParams<Routes[Id]['path']>> &
  (Routes[Id] extends { query: object } ? { query?: Query<Id> } : object) &
  (Routes[Id] extends { body: RouteBody } ? { body: Body<Id> } : object);
export type PlatformBody<Id extends PlatformId> = Extract<ResponseOf<Routes[Id]>, { body: unknown }>['body'];

const { request } = createRequester({ baseUrl: '', session: true, retries: 0, timeoutMs: 60_000 });

export async function callPlatform<Id extends PlatformId>(
  id: Id,
  input: PlatformInput<Id>,
  options: { signal?: AbortSignal; idempotencyKey?: string } = {},
): Promise<PlatformBody<Id>> {
  const { params = {}, query = {}, body } = input as Given;
  const given = { params, query: withoutEmpty(query), body };
  const response = await request(platformOperations[id], given, options).catch((error: unknown) => {
    throw shownError(error);
  });
  return (response as ApiResponse<PlatformBody<Id>>).data;
}

type Given = { params?: Record<string, string>; query?: Record<string, string>; body?: unknown };

/** The URL of an operation, for downloads. */
export function platformUrl(id: PlatformId, query: Record<string, string | undefined>): string {
  return pathOf(platformOperations[id], {}, withoutEmpty(query));
}

type Options<Id extends PlatformId> = Pick<
  UseQueryOptions<PlatformBody<Id>>,
  'enabled' | 'refetchInterval' | 'staleTime' | 'throwOnError'
>;

/** Like `useRead` in the portal. */
export function usePlatform<Id extends PlatformId>(id: Id, input: PlatformInput<Id>, options: Options<Id> = {}) {
  const { user } = useConsoleSession();
  return useQuery<PlatformBody<Id>>({
    queryKey: [id, user.user_id, input],
    queryFn: ({ signal }) => callPlatform(id, input, { signal }),
    placeholderData: keepPreviousPage(input),
    throwOnError: (_error, { state }) => state.data === undefined,
    ...options,
  });
}

/** Like `useChange` in the portal. */
export function usePlatformChange<Id extends PlatformId>(
  id: Id,
  changes: PlatformId[] = [],
  onError: (error: Error) => void = notifyFailure,
) {
  const client = useQueryClient();
  const once = useOnce();
  return useMutation<PlatformBody<Id>, Error, PlatformInput<Id>>({
    mutationFn: (input) => once(id, input, (options) => callPlatform(id, input, options)),
    onError,
    onSuccess: () => Promise.all(changes.map((key) => client.invalidateQueries({ queryKey: [key] }))).then(() => {}),
  });
}

export type ConsoleSession = PlatformBody<'consoleGetSession'>;
export const consoleSessionKey = ['consoleGetSession'];

/** The session, or null if the user is not signed in. */
export function useConsoleSessionQuery() {
  return useQuery({
    queryKey: consoleSessionKey,
    staleTime: 60_000,
    queryFn: async () => {
      if (!wasSignedIn('console')) return null;
      return callPlatform('consoleGetSession', {}).catch((error: unknown) => {
        if (!(error instanceof ApiError) || error.status !== 401) throw error;
        recordSignedIn(false, 'console');
        return null;
      });
    },
  });
}

export const ConsoleSessionContext = createContext<ConsoleSession | undefined>(undefined);

export function useConsoleSession(): ConsoleSession {
  const session = useContext(ConsoleSessionContext);
  if (!session) throw new Error('useConsoleSession must be used by a signed-in user.');
  return session;
}

/** Whether the user's role allows the operation. The server enforces it. */
export function useAllowed(): (id: PlatformId) => boolean {
  const { user } = useConsoleSession();
  return (id) => isPlatformRoleAllowed(user.role, platformOperations[id]);
}
