import { useDocumentTitle } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { recordSignedIn, wasSignedIn } from '../api/signed-in.ts';
import { SignInForm } from '../identity/sign-in-form.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { callPlatform, consoleSessionKey } from './api.ts';

export function SignIn() {
  const t = useMessages();
  useDocumentTitle(`${t('signIn.submit')} · ${t('console.title')}`);
  const client = useQueryClient();
  const [hasEnded] = useState(() => wasSignedIn('console'));
  const signIn = useMutation({
    mutationFn: (body: { email: string; password: string; code?: string }) => callPlatform('consoleSignIn', { body }),
    onSuccess: (session) => {
      recordSignedIn(true, 'console');
      client.setQueryData(consoleSessionKey, session);
    },
  });
  return (
    <SignInForm
      site={t('console.forOperators')}
      hasEnded={hasEnded}
      hint={t('console.signInHint')}
      error={signIn.error}
      isPending={signIn.isPending}
      onSubmit={(body) => signIn.mutate(body)}
    />
  );
}
