import { DirectionProvider, MantineProvider } from '@mantine/core';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode, useMemo } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError } from './api/api-error.ts';
import { useLanguage } from './messages/language.ts';
import { createPortalTheme, variables } from './theme.ts';

/** Style elements created at run time need the nonce, or the content security policy blocks them. */
const nonce = document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? '';
// The library that locks scrolling behind dialogs reads the nonce from this variable.
Object.assign(window, { __webpack_nonce__: nonce });

/** Failed requests are shown on the page (`PageError`), so only bugs are logged to the console. */
const onCaughtError = (error: unknown) => {
  if (!(error instanceof ApiError)) console.error(error);
};

/** Shows the portal or the console, with what both need. */
export function renderRoot(client: QueryClient, children: ReactNode): void {
  createRoot(document.getElementById('root') as HTMLElement, { onCaughtError }).render(
    <StrictMode>
      <Root client={client}>{children}</Root>
    </StrictMode>,
  );
}

/** A change of language shows everything again, because formats and texts are also used outside of components. */
function Root({ client, children }: { client: QueryClient; children: ReactNode }) {
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
        <QueryClientProvider client={client}>{children}</QueryClientProvider>
      </MantineProvider>
    </DirectionProvider>
  );
}
