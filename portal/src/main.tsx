import '@mantine/core/styles.css';
import './styles.css';
import './touch.css';
import { Center, DirectionProvider, Loader, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, StrictMode, Suspense, useEffect, useMemo, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError } from './api/api-error.ts';
import { createClient } from './api/query-client.ts';
import { useSessionQuery } from './api/session.tsx';
import { completeSignOuts } from './api/sign-out.ts';
import { wasSignedIn } from './api/signed-in.ts';
import { SignIn } from './identity/sign-in.tsx';
import { applyLanguage, loadMessages, useLanguage } from './messages/language.ts';
import { useMessages } from './messages/use-messages.ts';
import { createPortalTheme, variables } from './theme.ts';

/** Style elements created at run time need the nonce, or the content security policy blocks them. */
const nonce = document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? '';
// The library that locks scrolling behind dialogs reads the nonce from this variable.
Object.assign(window, { __webpack_nonce__: nonce });

const client = createClient();

/** Failed requests are shown on the page (`PageError`), so only bugs are logged to the console. */
const onCaughtError = (error: unknown) => {
  if (!(error instanceof ApiError)) console.error(error);
};

const importPortal = () => import('./portal.tsx').then(({ Portal }) => ({ default: Portal }));
const Portal = lazy(importPortal);
/** The pages that are also shown to people who are not signed in. */
const publicPages = new Set(['/portal/invitation']);

completeSignOuts();
await loadMessages('start');
applyLanguage();
createRoot(document.getElementById('root') as HTMLElement, { onCaughtError }).render(
  <StrictMode>
    <App />
  </StrictMode>,
);

/** A change of language shows everything again, because formats and texts are also used outside of components. */
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
          <Entry />
        </QueryClientProvider>
      </MantineProvider>
    </DirectionProvider>
  );
}

/** Shows the sign-in page without the rest of the portal, which is loaded as soon as the user starts to type. */
function Entry() {
  const t = useMessages();
  const { data: session } = useSessionQuery();
  const [isStranger] = useState(() => !wasSignedIn() && !publicPages.has(location.pathname));
  const isSignIn = isStranger && !session;
  useEffect(() => {
    if (isSignIn) addEventListener('keydown', () => void importPortal(), { once: true });
  }, [isSignIn]);
  if (isSignIn) return <SignIn />;
  const waiting = (
    <Center h="100vh">
      <Loader type="dots" aria-label={t('shell.loading')} />
    </Center>
  );
  return (
    <Suspense fallback={waiting}>
      <Portal />
    </Suspense>
  );
}
