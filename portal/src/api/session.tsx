import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext } from 'react';
import { ApiError } from './api-error.ts';
import { call, mayCall } from './call.ts';
import type { ResponseBody, OperationId } from './operations.ts';
import { replaceSession, signOut } from './sign-out.ts';
import { recordSignedIn, wasSignedIn } from './signed-in.ts';

export type Session = ResponseBody<'getSession'>;

const SessionContext = createContext<Session | undefined>(undefined);

export const sessionKey = ['getSession'];

/** The session, or null if the user is not signed in. */
export function useSessionQuery() {
  return useQuery({ queryKey: sessionKey, queryFn: readSession, staleTime: 60_000 });
}

async function readSession(): Promise<Session | null> {
  if (!wasSignedIn()) return null;
  try {
    const session = await call('', 'getSession', {});
    hadSession = true;
    return session;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    if (!hadSession) recordSignedIn(false);
    return null;
  }
}

/** Whether a session has been read on this page. Then a missing one has ended. */
let hadSession = false;

export function useSignIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { email: string; password: string; chain_id?: string; code?: string }) =>
      replaceSession(() => call('', 'signIn', { body })),
    onSuccess: (session) => {
      recordSignedIn(true);
      client.setQueryData(sessionKey, session);
    },
  });
}

/** Sets the password of an invited user, who is then signed in instead of any other user. */
export function useAcceptInvitation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { token: string; password: string; code?: string }) =>
      replaceSession(() => call('', 'acceptInvitation', { body })),
    onSuccess: (session) => {
      recordSignedIn(true);
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
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
    await signOut();
    client.setQueryData(sessionKey, null);
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
  };
}
