import { Center, Loader } from '@mantine/core';
import { Outlet, useLocation } from '@tanstack/react-router';
import { focusManager } from '@tanstack/react-query';
import { lazy, Suspense, useLayoutEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { type Session, SessionProvider, useSessionQuery } from '../api/session.tsx';
import { wasSignedIn } from '../api/signed-in.ts';
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
  const ended = useEnded(session);
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
  const shown = session ?? ended;
  if (!shown) return <SignIn />;
  return (
    <>
      {!session && <SignInAgain />}
      {/* If another user has signed in, also in another tab, nothing that was entered or loaded before stays on the page. */}
      <SessionProvider key={`${shown.chain.chain_id} ${shown.user.user_id}`} session={shown}>
        <Suspense fallback={null}>
          {shown.must_change_password ? <PasswordChangeRequired /> : <AfterPassword session={shown} />}
        </Suspense>
      </SessionProvider>
    </>
  );
}

/** The session that has ended on this page without a sign-out. */
function useEnded(session: Session | null | undefined): Session | undefined {
  const [last, setLast] = useState<Session>();
  if (session && session !== last) setLast(session);
  return session === null && wasSignedIn() ? last : undefined;
}

/** Hides the page until the user has signed in again, so that what was entered, or a secret that is shown once, is kept. */
function SignInAgain() {
  const [{ container, title }] = useState(() => ({ container: document.createElement('div'), title: document.title }));
  useLayoutEffect(() => {
    container.dataset['signIn'] = '';
    document.body.append(container);
    document.body.classList.add('is-signed-out');
    // Nothing is refetched at intervals.
    focusManager.setFocused(false);
    return () => {
      container.remove();
      document.title = title;
      document.body.classList.remove('is-signed-out');
      focusManager.setFocused(undefined);
    };
  }, [container, title]);
  return createPortal(<SignIn />, container);
}

function AfterPassword({ session }: { session: Session }) {
  return session.must_set_up_second_factor ? <SecondFactorRequired /> : <Outlet />;
}
