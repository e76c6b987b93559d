import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '../styles.css';
import '../touch.css';
import { Center, DirectionProvider, Loader, MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, useMemo } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError } from '../api/api-error.ts';
import { createClient } from '../api/query-client.ts';
import { applyLanguage, loadMessages, useLanguage } from '../messages/language.ts';
import { createPortalTheme, variables } from '../theme.ts';
import { consoleSessionKey, ConsoleSessionContext, useConsoleSessionQuery } from './api.ts';
import { Invitation } from './invitation.tsx';
import { createConsoleRouter } from './router.tsx';
import { SignIn } from './sign-in.tsx';

/** The console: an app of its own, so that the portal does not load it. See main.tsx of the portal for the nonce. */
const nonce = document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? '';
Object.assign(window, { __webpack_nonce__: nonce });

const client = createClient(consoleSessionKey);
const router = createConsoleRouter();

const onCaughtError = (error: unknown) => {
  if (!(error instanceof ApiError)) console.error(error);
};

await Promise.all([loadMessages('start'), loadMessages('console')]);
applyLanguage();
createRoot(document.getElementById('root') as HTMLElement, { onCaughtError }).render(
  <StrictMode>
    <App />
  </StrictMode>,
);

function App() {
  const { language, direction, t } = useLanguage();
  const theme = useMemo(() => createPortalTheme(t), [t]);
  return (
    <DirectionProvider key={language} initialDirection={direction} detectDirection={false}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={variables}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={client}>
          <ModalsProvider>
            <Notifications position="top-center" />
            <Entry />
          </ModalsProvider>
        </QueryClientProvider>
      </MantineProvider>
    </DirectionProvider>
  );
}

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
    <ConsoleSessionContext value={session}>
      <RouterProvider router={router as never} />
    </ConsoleSessionContext>
  );
}
