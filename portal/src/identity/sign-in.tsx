import { Alert, Button, Card, Center, Group, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { lazy, type SubmitEvent, Suspense, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import { useSignIn } from '../api/session.tsx';
import { signInFailure } from '../api/sign-in-failure.ts';
import { wasSignedIn } from '../api/signed-in.ts';
import { LanguageMenu } from '../kit/language-menu.tsx';
import { SchemeToggle } from '../kit/scheme-toggle.tsx';
import { useMessages } from '../messages/use-messages.ts';

const ChainSelect = lazy(() => import('./chain-select.tsx').then((module) => ({ default: module.ChainSelect })));

type Chains = NonNullable<ApiError['problem']['chains']>;

/** Shown at every URL until the user signs in. */
export function SignIn() {
  const t = useMessages();
  useDocumentTitle(`${t('signIn.submit')} · Aisle`);
  const [errors, setErrors] = useState<{ email?: string; password?: string }>({});
  const signIn = useSignIn();
  const [hasEnded] = useState(wasSignedIn);
  const [chains, setChains] = useState<Chains>([]);
  const [needsCode, setNeedsCode] = useState(false);
  const problem = signIn.error instanceof ApiError ? signIn.error.problem : undefined;
  const isQuestion = problem?.code === 'several_accounts' || problem?.code === 'second_factor_required';
  // The form library is not used here, because every visitor would have to load it.
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { email = '', password = '', chain_id, code } = valuesOf(event.currentTarget);
    const found = {
      ...(!email.includes('@') && { email: t('account.enterEmail') }),
      ...(password === '' && { password: t('account.enterPassword') }),
    };
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    const body = { email, password, ...(chain_id && { chain_id }), ...(code && { code }) };
    signIn.mutate(body, {
      onError: (error) => {
        if (!(error instanceof ApiError)) return;
        if (error.problem.chains) setChains(error.problem.chains);
        if (error.problem.code === 'second_factor_required') setNeedsCode(true);
      },
    });
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
                {t('account.partnerPortal')}
              </Text>
            </div>
          </Group>
          <Group gap="xs">
            <LanguageMenu />
            <SchemeToggle />
          </Group>
        </Group>
        <Card padding="lg" shadow="xs">
          <form onSubmit={submit} noValidate>
            <Stack>
              {hasEnded && !signIn.error && (
                <Alert color="gray" role="status">
                  {t('account.ended')}
                </Alert>
              )}
              {signIn.error && !isQuestion && (
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
                error={errors.email}
              />
              <PasswordInput
                label={t('signIn.password')}
                autoComplete="current-password"
                name="password"
                error={errors.password}
              />
              {chains.length > 0 && (
                <Suspense>
                  <ChainSelect chains={chains} name="chain_id" />
                </Suspense>
              )}
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
        <Hint />
      </Stack>
    </Center>
  );
}

function valuesOf(form: HTMLFormElement): Record<string, string> {
  return Object.fromEntries(
    [...new FormData(form)].map(([name, value]) => [name, typeof value === 'string' ? value : '']),
  );
}

function Hint() {
  const t = useMessages();
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);
  if (!window.isSecureContext) {
    return <Alert color="yellow">{t('account.notSecure')}</Alert>;
  }
  return (
    <Text size="sm" c="dimmed">
      {isHere ? t('account.demoHint') : t('account.help')}
    </Text>
  );
}
