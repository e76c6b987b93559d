import { Alert, Anchor, Button, Card, Center, Group, Loader, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDocumentTitle } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { fieldErrorsOf } from '../api/field-errors.ts';
import { recordSignedIn } from '../api/signed-in.ts';
import { NewPasswordFields, newPasswordRules } from '../identity/password-fields.tsx';
import { formatDateTime } from '../kit/format.ts';
import { LanguageMenu } from '../kit/language-menu.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { callPlatform, type PlatformBody, usePlatformChange } from './api.ts';

/** The page that an invitation to the console opens: the user chooses a password and is signed in. */
export function Invitation() {
  const t = useMessages();
  useDocumentTitle(`${t('invitation.title')} · ${t('console.title')}`);
  // Removed from the URL, so that it does not stay in the history.
  const [token] = useState(() => location.hash.slice(1));
  useEffect(() => history.replaceState(history.state, '', location.pathname), []);
  const { data, error } = useQuery({
    queryKey: ['consoleReadInvitation', token],
    queryFn: () => callPlatform('consoleReadInvitation', { body: { token } }),
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    throwOnError: false,
  });
  return (
    <Center mih="100vh" p="md" component="main">
      <Stack w="100%" maw={440} gap="lg">
        <Group justify="space-between" wrap="nowrap">
          <Title order={1}>{t('invitation.title')}</Title>
          <LanguageMenu />
        </Group>
        {data && <AcceptForm token={token} invited={data} />}
        {!data && (error || token === '') && (
          <>
            <Alert color="red" role="alert">
              {t('console.invitationUnusable')}
            </Alert>
            <Anchor href="/console">{t('invitation.signIn')}</Anchor>
          </>
        )}
        {!data && !error && token !== '' && <Loader type="dots" aria-label={t('shell.loading')} />}
      </Stack>
    </Center>
  );
}

type Invited = PlatformBody<'consoleReadInvitation'>;

function AcceptForm({ token, invited }: { token: string; invited: Invited }) {
  const t = useMessages();
  const form = useForm({ initialValues: { new_password: '', again: '', code: '' }, validate: newPasswordRules });
  const [failure, setFailure] = useState<string>();
  const accept = usePlatformChange('consoleAcceptInvitation', [], (error) => {
    const { password: message } = fieldErrorsOf(error, ['password']) ?? {};
    if (message !== undefined) form.setErrors({ new_password: message });
    setFailure(message === undefined ? error.message : undefined);
  });
  const submit = form.onSubmit(({ new_password: password, code }) =>
    accept.mutate(
      { body: { token, password, ...(invited.needs_code && { code }) } },
      {
        onSuccess: () => {
          recordSignedIn(true, 'console');
          location.assign('/console');
        },
      },
    ),
  );
  return (
    <Card padding="lg">
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text size="sm">{t('console.invited', { name: invited.name })}</Text>
          {failure && (
            <Alert color="red" role="alert">
              {failure}
            </Alert>
          )}
          <TextInput
            type="email"
            label={t('invitation.email')}
            value={invited.email}
            autoComplete="username"
            styles={{ input: { direction: 'ltr' } }}
            readOnly
          />
          <NewPasswordFields form={form} />
          {invited.needs_code && (
            <TextInput
              label={t('invitation.code')}
              description={t('invitation.codeHelp')}
              autoComplete="one-time-code"
              {...form.getInputProps('code')}
            />
          )}
          <Button type="submit" loading={accept.isPending}>
            {t('invitation.accept')}
          </Button>
          <Text size="sm" c="dimmed">
            {t('invitation.expires', { time: formatDateTime(invited.expires_at) })}
          </Text>
        </Stack>
      </form>
    </Card>
  );
}
