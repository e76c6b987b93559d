import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext } from 'react';
import { ApiError } from './api-error.ts';
import { call, mayCall } from './call.ts';
import type { ResponseBody, OperationId } from './operations.ts';

export type Session = ResponseBody<'getSession'>;

const SessionContext = createContext<Session | undefined>(undefined);

export const sessionKey = ['getSession'];

/** The local storage key that is set while there might be a session. Scripts cannot read the session cookie itself. */
const signedInKey = 'aisle-signed-in';

/** The session, or null if the user is not signed in. */
export function useSessionQuery() {
  return useQuery({ queryKey: sessionKey, queryFn: readSession, staleTime: 60_000 });
}

/** Whether the user signed in and has not signed out since. If so, a missing session means that it has expired. */
export function wasSignedIn(): boolean {
  return localStorage.getItem(signedInKey) !== null;
}

async function readSession(): Promise<Session | null> {
  if (localStorage.getItem(signedInKey) === null) return null;
  return call('', 'getSession', {}).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    localStorage.removeItem(signedInKey);
    return null;
  });
}

export function useSignIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { email: string; password: string; chain_id?: string; code?: string }) =>
      call('', 'signIn', { body }),
    onSuccess: (session) => {
      localStorage.setItem(signedInKey, 'yes');
      client.setQueryData(sessionKey, session);
    },
  });
}

export function SessionProvider({ session, children }: { session: Session; children: ReactNode }) {
  return <SessionContext value={session}>{children}</SessionContext>;
}

/** The session of the signed-in user. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession must be used within a SessionProvider.');
  return session;
}

/** Checks whether the user may call an operation. The portal only hides controls. The server enforces permissions. */
export function usePermission(): (id: OperationId) => boolean {
  const { user } = useSession();
  return (id) => mayCall(user.role, id);
}

export function useSignOut(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await call('', 'signOut', {}).catch(() => undefined);
    localStorage.removeItem(signedInKey);
    client.setQueryData(sessionKey, null);
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
  };
}
