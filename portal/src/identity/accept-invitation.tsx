import { Alert, Button, Card, Center, Group, Loader, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { fieldErrorsOf } from '../api/field-errors.ts';
import type { Body, ResponseBody } from '../api/operations.ts';
import { formatDateTime } from '../kit/format.ts';
import { LanguageMenu } from '../kit/language-menu.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { NewPasswordFields, newPasswordRules } from './password-fields.tsx';

type Invited = ResponseBody<'readInvitation'>;
type Acceptance = Body<'acceptInvitation'>;

type PageProps = {
  read(token: string): Promise<Invited>;
  /** Sets the password and signs the user in. */
  accept(body: Acceptance, callbacks: { onSuccess(): void; onError(error: Error): void }): void;
  isPending: boolean;
  onAccepted(): void;
  welcome(invited: Invited): string;
  /** What to do if the link does not work. */
  unusable: string;
  signInLink: ReactNode;
};

/** The page that an invitation link opens: the user chooses a password and is signed in. */
export function AcceptInvitation({ read, unusable, signInLink, ...rest }: PageProps) {
  const t = useMessages();
  const token = useToken();
  const { data, error } = useQuery({
    queryKey: ['readInvitation', token],
    queryFn: () => read(token),
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
        {data && <AcceptForm token={token} invited={data} {...rest} />}
        {!data && (error || token === '') && (
          <>
            <Alert color="red" role="alert">
              {unusable}
            </Alert>
            {signInLink}
          </>
        )}
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

type FormProps = { token: string; invited: Invited } & Pick<
  PageProps,
  'accept' | 'isPending' | 'onAccepted' | 'welcome'
>;

function AcceptForm({ token, invited, accept, isPending, onAccepted, welcome }: FormProps) {
  const t = useMessages();
  const form = useForm({ initialValues: { new_password: '', again: '', code: '' }, validate: newPasswordRules });
  const [failure, setFailure] = useState<string>();
  const onError = (error: Error) => {
    const { password: message } = fieldErrorsOf(error, ['password']) ?? {};
    if (message !== undefined) form.setErrors({ new_password: message });
    setFailure(message === undefined ? error.message : undefined);
  };
  const submit = form.onSubmit(({ new_password: password, code }) =>
    accept({ token, password, ...(invited.needs_code && { code }) }, { onSuccess: onAccepted, onError }),
  );
  return (
    <Card padding="lg">
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text size="sm">{welcome(invited)}</Text>
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
          <Button type="submit" loading={isPending}>
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
