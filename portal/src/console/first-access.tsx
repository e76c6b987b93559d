import { Button, Card, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { type Invited, InvitationLink } from '../identity/invitation-link.tsx';
import { newUserRules } from '../identity/user-rules.ts';
import { Secret } from '../kit/secret.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { usePlatformChange } from './api.ts';
import { NewUserForm, showErrors } from './new-user-form.tsx';

/** Creates the first owner of a chain, who sets a password with an invitation link. */
export function AddUser({ chainId }: { chainId: string }) {
  const t = useMessages();
  const [invited, setInvited] = useState<Invited>();
  const form = useForm({ initialValues: { email: '', name: '' }, validate: newUserRules });
  const create = usePlatformChange('platformCreateUser', ['platformListUsers', 'platformGetChecklist'], (error) =>
    showErrors(form, error),
  );
  const invite = (values: { email: string; name: string }) =>
    create.mutate(
      { params: { chain_id: chainId }, body: { ...values, role: 'OWNER', invite: true } },
      {
        onSuccess: (user) => {
          form.reset();
          setInvited(user);
        },
      },
    );
  return (
    <Card>
      <NewUserForm
        title={t('console.inviteOwner')}
        help={t('console.inviteOwnerHelp')}
        form={form}
        isPending={create.isPending}
        onSubmit={invite}
      />
      {invited && <InvitationLink invited={invited} onClose={() => setInvited(undefined)} />}
    </Card>
  );
}

/** Creates an API token for the chain's systems. */
export function AddCredential({ chainId }: { chainId: string }) {
  const t = useMessages();
  const [token, setToken] = useState<string>();
  const form = useForm({ initialValues: { name: '' } });
  const create = usePlatformChange('platformCreateToken', ['platformListTokens', 'platformGetChecklist']);
  const submit = form.onSubmit(({ name }) =>
    create.mutate(
      { params: { chain_id: chainId }, body: { name } },
      {
        onSuccess: (created) => {
          form.reset();
          setToken(created.token);
        },
      },
    ),
  );
  return (
    <Card>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Title order={2}>{t('console.newToken')}</Title>
          <Text size="sm" c="dimmed">
            {t('console.newTokenHelp')}
          </Text>
          <Group align="flex-end">
            <TextInput
              label={t('console.tokenName')}
              required
              w={{ base: '100%', xs: 260 }}
              {...form.getInputProps('name')}
            />
            <Button type="submit" loading={create.isPending}>
              {t('console.createToken')}
            </Button>
          </Group>
        </Stack>
      </form>
      {token && (
        <Secret
          title={t('console.newToken')}
          label={t('console.token')}
          secret={token}
          onClose={() => setToken(undefined)}
        />
      )}
    </Card>
  );
}
