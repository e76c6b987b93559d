import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext } from 'react';
import { ApiError } from './api-error.ts';
import { call, mayCall } from './call.ts';
import type { ResponseBody, OperationId } from './operations.ts';

export type Session = ResponseBody<'getSession'>;

const SessionContext = createContext<Session | undefined>(undefined);

export const sessionKey = ['getSession'];

/** Whether this browser may have a session: the cookie itself is out of reach of scripts. */
const mark = 'aisle-signed-in';

/** Null: nobody is signed in. */
export function useSessionQuery() {
  return useQuery({ queryKey: sessionKey, queryFn: readSession, staleTime: 60_000 });
}

/** Whether somebody was signed in here and never signed out: then it was the session that ended. */
export function wasSignedIn(): boolean {
  return localStorage.getItem(mark) !== null;
}

async function readSession(): Promise<Session | null> {
  if (localStorage.getItem(mark) === null) return null;
  return call('', 'getSession', {}).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    localStorage.removeItem(mark);
    return null;
  });
}

export function useSignIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { email: string; password: string }) => call('', 'signIn', { body }),
    onSuccess: (session) => {
      localStorage.setItem(mark, 'yes');
      client.setQueryData(sessionKey, session);
    },
  });
}

export function SessionProvider({ session, children }: { session: Session; children: ReactNode }) {
  return <SessionContext value={session}>{children}</SessionContext>;
}

/** Who is signed in; for what is shown only then. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('Nobody is signed in here.');
  return session;
}

/** Whether the person may do this: what it may not is not offered. The server decides anyway. */
export function useMay(): (id: OperationId) => boolean {
  const { user } = useSession();
  return (id) => mayCall(user.role, id);
}

export function useSignOut(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await call('', 'signOut', {}).catch(() => undefined);
    localStorage.removeItem(mark);
    client.setQueryData(sessionKey, null);
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
  };
}
