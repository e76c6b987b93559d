import '@mantine/core/styles.css';
import '@mantine/dates/styles.css';
import '@mantine/charts/styles.css';
import '@mantine/notifications/styles.css';
import './styles.css';
import { DirectionProvider, MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, useMemo } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError } from './api/api-error.ts';
import { createClient } from './api/query-client.ts';
import { applyLanguage, loadMessages, useLanguage } from './messages/language.ts';
import { createPortalRouter } from './router.tsx';
import { createPortalTheme, variables } from './theme.ts';

/** Style elements created at run time need the nonce, or the content security policy blocks them. */
const nonce = document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? '';
// The library that locks scrolling behind dialogs reads the nonce from this variable.
Object.assign(window, { __webpack_nonce__: nonce });

const client = createClient();
const router = createPortalRouter();

/** Failed requests are shown on the page (`PageError`), so only bugs are logged to the console. */
const onCaughtError = (error: unknown) => {
  if (!(error instanceof ApiError)) console.error(error);
};

await loadMessages('start');
applyLanguage();
createRoot(document.getElementById('root') as HTMLElement, { onCaughtError }).render(
  <StrictMode>
    <Portal />
  </StrictMode>,
);

/** A change of language shows everything again, because formats and texts are also used outside of components. */
function Portal() {
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
            <RouterProvider router={router} />
          </ModalsProvider>
        </QueryClientProvider>
      </MantineProvider>
    </DirectionProvider>
  );
}
