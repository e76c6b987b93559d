import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '../styles.css';
import '../touch.css';
import { Center, Loader } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { RouterProvider } from '@tanstack/react-router';
import { createClient } from '../api/query-client.ts';
import { applyLanguage, loadMessages, useLanguage } from '../messages/language.ts';
import { renderRoot } from '../root.tsx';
import { consoleSessionKey, ConsoleSessionContext, useConsoleSessionQuery } from './api.ts';
import { Invitation } from './invitation.tsx';
import { createConsoleRouter } from './router.tsx';
import { SignIn } from './sign-in.tsx';

/** The console is an app of its own, so that the portal does not load it. */
const client = createClient(consoleSessionKey, 'console');
const router = createConsoleRouter();

await Promise.all([loadMessages('start'), loadMessages('console')]);
applyLanguage();
renderRoot(
  client,
  <ModalsProvider>
    <Notifications position="top-center" />
    <Entry />
  </ModalsProvider>,
);

/** Shows the sign-in page at every URL until the user signs in. Invited users have no session yet. */
function Entry() {
  const { t } = useLanguage();
  const { data: session } = useConsoleSessionQuery();
  if (location.pathname === '/console/invitation') return <Invitation />;
  if (session === undefined) {
    return (
      <Center h="100vh">
        <Loader type="dots" aria-label={t('shell.loading')} />
      </Center>
    );
  }
  if (session === null) return <SignIn />;
  return (
    <ConsoleSessionContext key={session.user.user_id} value={session}>
      <RouterProvider router={router as never} />
    </ConsoleSessionContext>
  );
}
