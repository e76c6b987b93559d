import { Center, Loader } from '@mantine/core';
import { Outlet } from '@tanstack/react-router';
import { SessionProvider, useSessionQuery } from '../api/session.tsx';
import { SignIn } from '../identity/sign-in.tsx';
import { PageError } from './fallbacks.tsx';

/** Whoever is not signed in sees the sign-in page, at whatever address, and then the page it wanted. */
export function Root() {
  const { data: session, error, isPending, refetch } = useSessionQuery();
  if (isPending) {
    return (
      <Center h="100vh">
        <Loader type="dots" aria-label="Loading" />
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
      <Outlet />
    </SessionProvider>
  );
}
