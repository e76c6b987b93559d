import { Alert, Button, Card, Center, Group, Loader, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDocumentTitle } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { call } from '../api/call.ts';
import { fieldErrorsOf } from '../api/field-errors.ts';
import type { ResponseBody } from '../api/operations.ts';
import { useAcceptInvitation } from '../api/session.tsx';
import { formatDateTime } from '../kit/format.ts';
import { LanguageMenu } from '../kit/language-menu.tsx';
import { ButtonLink } from '../kit/link.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { NewPasswordFields, newPasswordRules } from './password-fields.tsx';

type Invited = ResponseBody<'readInvitation'>;

/** The page that an invitation link opens: the user chooses a password and is signed in. */
export function InvitationPage() {
  const t = useMessages();
  useDocumentTitle(`${t('invitation.title')} · Aisle`);
  const token = useToken();
  const { data, error } = useQuery({
    queryKey: ['readInvitation', token],
    queryFn: () => call('', 'readInvitation', { body: { token } }),
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
        {!data && (error || token === '') && <Unusable />}
        {!data && !error && token !== '' && <Loader type="dots" aria-label={t('shell.loading')} />}
      </Stack>
    </Center>
  );
}

/** The token in the fragment of the URL, which is then removed, so that it does not stay in the history. */
function useToken(): string {
  const [token] = useState(() => location.hash.slice(1));
  useEffect(() => {
    if (location.hash !== '') history.replaceState(history.state, '', location.pathname);
  }, []);
  return token;
}

function Unusable() {
  const t = useMessages();
  return (
    <>
      <Alert color="red" role="alert">
        {t('invitation.unusable')}
      </Alert>
      <ButtonLink to="/" variant="default">
        {t('invitation.signIn')}
      </ButtonLink>
    </>
  );
}

function AcceptForm({ token, invited }: { token: string; invited: Invited }) {
  const t = useMessages();
  const navigate = useNavigate();
  const accept = useAcceptInvitation();
  const form = useForm({ initialValues: { new_password: '', again: '', code: '' }, validate: newPasswordRules });
  const [failure, setFailure] = useState<string>();
  const submit = form.onSubmit(({ new_password: password, code }) =>
    accept.mutate(
      { token, password, ...(invited.needs_code && { code }) },
      {
        onSuccess: () => void navigate({ to: '/', replace: true }),
        onError: (error) => {
          const { password: message } = fieldErrorsOf(error, ['password']) ?? {};
          if (message !== undefined) form.setErrors({ new_password: message });
          setFailure(message === undefined ? error.message : undefined);
        },
      },
    ),
  );
  return (
    <Card padding="lg">
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text size="sm">{t('invitation.welcome', { name: invited.name, chain: invited.chain_name })}</Text>
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
