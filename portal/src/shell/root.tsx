import { Center, Loader } from '@mantine/core';
import { Outlet, useLocation } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { type Session, SessionProvider, useSessionQuery } from '../api/session.tsx';
import { SignIn } from '../identity/sign-in.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { PageError } from './fallbacks.tsx';

const PasswordChangeRequired = lazy(async () => {
  const module = await import('../identity/password-change-required.tsx');
  return { default: module.PasswordChangeRequired };
});
const SecondFactorRequired = lazy(async () => {
  const module = await import('../identity/second-factor-required.tsx');
  return { default: module.SecondFactorRequired };
});

/** Shows the sign-in page at every URL until the user signs in, then the requested page. */
export function Root() {
  const t = useMessages();
  const { data: session, error, isPending, refetch } = useSessionQuery();
  const isInvitation = useLocation({ select: ({ pathname }) => pathname === '/invitation' });
  if (isInvitation) return <Outlet />;
  if (isPending) {
    return (
      <Center h="100vh">
        <Loader type="dots" aria-label={t('shell.loading')} />
      </Center>
    );
  }
  if (error && session === undefined) {
    return (
      <Center h="100vh" p="md" component="main">
        <PageError error={error} onRetry={() => void refetch()} />
      </Center>
    );
  }
  if (!session) return <SignIn />;
  return (
    // If another user has signed in, also in another tab, nothing that was entered or loaded before stays on the page.
    <SessionProvider key={`${session.chain.chain_id} ${session.user.user_id}`} session={session}>
      <Suspense fallback={null}>
        {session.must_change_password ? <PasswordChangeRequired /> : <AfterPassword session={session} />}
      </Suspense>
    </SessionProvider>
  );
}

function AfterPassword({ session }: { session: Session }) {
  return session.must_set_up_second_factor ? <SecondFactorRequired /> : <Outlet />;
}
