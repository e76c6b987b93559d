import { Alert, Button, Card, Center, Group, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import { recordSignedIn } from '../api/signed-in.ts';
import { signInFailure } from '../api/sign-in-failure.ts';
import { LanguageMenu } from '../kit/language-menu.tsx';
import { SchemeToggle } from '../kit/scheme-toggle.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { callPlatform, consoleSessionKey } from './api.ts';

export function SignIn() {
  const t = useMessages();
  useDocumentTitle(`${t('signIn.submit')} · ${t('console.title')}`);
  const client = useQueryClient();
  const [needsCode, setNeedsCode] = useState(false);
  const signIn = useMutation({
    mutationFn: (body: { email: string; password: string; code?: string }) => callPlatform('consoleSignIn', { body }),
    onSuccess: (session) => {
      recordSignedIn(true, 'console');
      client.setQueryData(consoleSessionKey, session);
    },
    onError: (error) => {
      if (error instanceof ApiError && error.problem.code === 'second_factor_required') setNeedsCode(true);
    },
  });
  const problem = signIn.error instanceof ApiError ? signIn.error.problem : undefined;
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const values = new FormData(event.currentTarget);
    const textOf = (name: string) => {
      const value = values.get(name);
      return typeof value === 'string' ? value : '';
    };
    const code = textOf('code');
    signIn.mutate({ email: textOf('email'), password: textOf('password'), ...(code && { code }) });
  };
  return (
    <Center mih="100vh" p="md" component="main">
      <Stack w="100%" maw={400} gap="lg">
        <Group gap="sm" justify="space-between">
          <Group gap="sm">
            <img src="/portal/favicon.svg" width={36} height={36} alt="" />
            <div>
              <Title order={1}>Aisle</Title>
              <Text size="sm" c="dimmed">
                {t('console.forOperators')}
              </Text>
            </div>
          </Group>
          <Group gap="xs">
            <LanguageMenu />
            <SchemeToggle />
          </Group>
        </Group>
        <Card padding="lg" shadow="xs">
          <form onSubmit={submit}>
            <Stack>
              {signIn.error && problem?.code !== 'second_factor_required' && (
                <Alert color="red" role="alert" dir="auto">
                  {signInFailure(signIn.error, t) ?? signIn.error.message}
                </Alert>
              )}
              <TextInput
                label={t('signIn.email')}
                type="email"
                autoComplete="username"
                autoFocus
                name="email"
                required
                withAsterisk={false}
              />
              <PasswordInput
                label={t('signIn.password')}
                autoComplete="current-password"
                name="password"
                required
                withAsterisk={false}
              />
              {needsCode && (
                <TextInput
                  label={t('signIn.code')}
                  description={t('signIn.codeHelp')}
                  autoComplete="one-time-code"
                  autoFocus
                  name="code"
                />
              )}
              <Button type="submit" loading={signIn.isPending} fullWidth>
                {t('signIn.submit')}
              </Button>
            </Stack>
          </form>
        </Card>
        <Text size="sm" c="dimmed">
          {t('console.signInHint')}
        </Text>
      </Stack>
    </Center>
  );
}
