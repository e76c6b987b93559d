import { Center, Loader } from '@mantine/core';
import { Outlet } from '@tanstack/react-router';
import { SessionProvider, useSessionQuery } from '../api/session.tsx';
import { SecondFactorRequired } from '../identity/second-factor-required.tsx';
import { SignIn } from '../identity/sign-in.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { PageError } from './fallbacks.tsx';

/** Shows the sign-in page at every URL until the user signs in, then the requested page. */
export function Root() {
  const t = useMessages();
  const { data: session, error, isPending, refetch } = useSessionQuery();
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
    <SessionProvider session={session}>
      {session.must_set_up_second_factor ? <SecondFactorRequired /> : <Outlet />}
    </SessionProvider>
  );
}
