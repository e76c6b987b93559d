import { Button, Card, Group, PasswordInput, Stack, Table, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useChange } from '../api/hooks.ts';
import { useSession } from '../api/session.tsx';
import { formatDateTime } from '../kit/format.ts';
import { notifyDone } from '../kit/notify.ts';
import { Page } from '../kit/page.tsx';
import { State } from '../kit/state.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { OwnSessions } from './own-sessions.tsx';
import { SecondFactor } from './second-factor.tsx';

export function AccountPage() {
  const t = useMessages();
  const { user, chain, expires_at } = useSession();
  const facts: [string, React.ReactNode][] = [
    [t('account.name'), user.name],
    [t('account.email'), user.email],
    [t('account.role'), <State key="role" value={user.role} />],
    [t('account.chain'), chain.name],
    [t('account.until'), formatDateTime(expires_at)],
  ];
  return (
    <Page title={t('account.title')}>
      <Stack maw={560}>
        <Card padding={0}>
          <Table variant="vertical" withRowBorders highlightOnHover={false}>
            <Table.Tbody>
              {facts.map(([name, value]) => (
                <Table.Tr key={name}>
                  <Table.Th w={160} fw={500}>
                    {name}
                  </Table.Th>
                  <Table.Td>{value}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Card>
        <SecondFactor />
        <OwnSessions />
        <NewPassword />
      </Stack>
    </Page>
  );
}

function NewPassword() {
  const t = useMessages();
  const change = useChange('changePassword', ['listOwnSessions']);
  const form = useForm({
    initialValues: { current_password: '', new_password: '', again: '' },
    validate: {
      current_password: (text) => (text === '' ? t('account.enterCurrent') : null),
      new_password: (text) => (text.length < 12 ? t('account.tooShort') : null),
      again: (text, { new_password }) => (text === new_password ? null : t('account.noMatch')),
    },
  });
  const submit = form.onSubmit(({ current_password, new_password }) =>
    change.mutate(
      { body: { current_password, new_password } },
      {
        onSuccess: () => {
          form.reset();
          notifyDone(t('account.passwordChanged'));
        },
      },
    ),
  );
  return (
    <Card padding="lg">
      <form onSubmit={submit}>
        <Stack>
          <Title order={2}>{t('account.changePassword')}</Title>
          <Text size="sm" c="dimmed">
            {t('account.staySignedIn')}
          </Text>
          <PasswordInput
            label={t('account.currentPassword')}
            autoComplete="current-password"
            {...form.getInputProps('current_password')}
          />
          <PasswordInput
            label={t('account.newPassword')}
            autoComplete="new-password"
            {...form.getInputProps('new_password')}
          />
          <PasswordInput
            label={t('account.confirmPassword')}
            autoComplete="new-password"
            {...form.getInputProps('again')}
          />
          <Group justify="flex-end">
            <Button type="submit" loading={change.isPending}>
              {t('account.changePassword')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}
