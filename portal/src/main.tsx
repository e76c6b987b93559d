import '@mantine/core/styles.css';
import './styles.css';
import './touch.css';
import { Center, Loader } from '@mantine/core';
import { lazy, Suspense, useEffect, useState } from 'react';
import { createClient } from './api/query-client.ts';
import { useSessionQuery } from './api/session.tsx';
import { completeSignOuts } from './api/sign-out.ts';
import { wasSignedIn } from './api/signed-in.ts';
import { SignIn } from './identity/sign-in.tsx';
import { applyLanguage, loadMessages } from './messages/language.ts';
import { useMessages } from './messages/use-messages.ts';
import { renderRoot } from './root.tsx';

const client = createClient();

const importPortal = () => import('./portal.tsx').then(({ Portal }) => ({ default: Portal }));
const Portal = lazy(importPortal);
/** The pages that are also shown to people who are not signed in. */
const publicPages = new Set(['/portal/invitation']);

completeSignOuts();
await loadMessages('start');
applyLanguage();
renderRoot(client, <Entry />);

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
