import { Alert, Button, Card, Center, Group, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import { signInFailure } from '../api/sign-in-failure.ts';
import { LanguageMenu } from '../kit/language-menu.tsx';
import { SchemeToggle } from '../kit/scheme-toggle.tsx';
import { useMessages } from '../messages/use-messages.ts';

type Credentials = { email: string; password: string; code?: string; chain_id?: string };

type FormProps = {
  /** Where the user signs in. */
  site: string;
  /** Whether the user was signed in before. */
  hasEnded: boolean;
  hint: ReactNode;
  error: Error | null;
  isPending: boolean;
  onSubmit(credentials: Credentials): void;
  /** Further fields, whose values are submitted by their names. */
  children?: ReactNode;
};

/** Errors that ask for another field instead of reporting a mistake. */
const questions = new Set<string | undefined>(['several_accounts', 'second_factor_required']);

/** The sign-in page of the portal and of the console. */
export function SignInForm({ site, hasEnded, hint, error, isPending, onSubmit, children }: FormProps) {
  const t = useMessages();
  const [errors, setErrors] = useState<{ email?: string; password?: string }>({});
  const [needsCode, setNeedsCode] = useState(false);
  const code = error instanceof ApiError ? error.problem.code : undefined;
  if (code === 'second_factor_required' && !needsCode) setNeedsCode(true);
  // The form library is not used here, because every visitor would have to load it.
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { email = '', password = '', ...rest } = valuesOf(event.currentTarget);
    const found = {
      ...(!email.includes('@') && { email: t('account.enterEmail') }),
      ...(password === '' && { password: t('account.enterPassword') }),
    };
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    const given = Object.entries(rest).filter(([, value]) => value !== '');
    onSubmit({ email, password, ...Object.fromEntries(given) });
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
                {site}
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
              {hasEnded && !error && (
                <Alert color="gray" role="status">
                  {t('account.ended')}
                </Alert>
              )}
              {error && !questions.has(code) && (
                <Alert color="red" role="alert" dir="auto">
                  {signInFailure(error, t) ?? error.message}
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
              {children}
              {needsCode && (
                <TextInput
                  label={t('signIn.code')}
                  description={t('signIn.codeHelp')}
                  autoComplete="one-time-code"
                  autoFocus
                  name="code"
                />
              )}
              <Button type="submit" loading={isPending} fullWidth>
                {t('signIn.submit')}
              </Button>
            </Stack>
          </form>
        </Card>
        <Hint>{hint}</Hint>
      </Stack>
    </Center>
  );
}

function valuesOf(form: HTMLFormElement): Record<string, string> {
  return Object.fromEntries(
    [...new FormData(form)].map(([name, value]) => [name, typeof value === 'string' ? value : '']),
  );
}

function Hint({ children }: { children: ReactNode }) {
  const t = useMessages();
  if (!window.isSecureContext) return <Alert color="yellow">{t('account.notSecure')}</Alert>;
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  );
}
