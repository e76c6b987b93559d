import { Button, Card, Group, PasswordInput, Stack, Table, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useChange } from '../api/hooks.ts';
import { useSession } from '../api/session.tsx';
import { formatDateTime } from '../kit/format.ts';
import { notifyDone } from '../kit/notify.ts';
import { Page } from '../kit/page.tsx';
import { State } from '../kit/state.tsx';
import { OwnSessions } from './own-sessions.tsx';
import { SecondFactor } from './second-factor.tsx';

export function AccountPage() {
  const { user, chain, expires_at } = useSession();
  const facts: [string, React.ReactNode][] = [
    ['Name', user.name],
    ['Email', user.email],
    ['Role', <State key="role" value={user.role} />],
    ['Chain', chain.name],
    ['Signed in until', formatDateTime(expires_at)],
  ];
  return (
    <Page title="Your account">
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
  const change = useChange('changePassword', ['listOwnSessions']);
  const form = useForm({
    initialValues: { current_password: '', new_password: '', again: '' },
    validate: {
      current_password: (text) => (text === '' ? 'Enter your current password' : null),
      new_password: (text) => (text.length < 12 ? 'At least 12 characters' : null),
      again: (text, { new_password }) => (text === new_password ? null : 'Passwords do not match'),
    },
  });
  const submit = form.onSubmit(({ current_password, new_password }) =>
    change.mutate(
      { body: { current_password, new_password } },
      {
        onSuccess: () => {
          form.reset();
          notifyDone('Password changed. You are signed out everywhere else.');
        },
      },
    ),
  );
  return (
    <Card padding="lg">
      <form onSubmit={submit}>
        <Stack>
          <Title order={2}>Change password</Title>
          <Text size="sm" c="dimmed">
            You stay signed in here and are signed out everywhere else.
          </Text>
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            {...form.getInputProps('current_password')}
          />
          <PasswordInput label="New password" autoComplete="new-password" {...form.getInputProps('new_password')} />
          <PasswordInput label="Confirm new password" autoComplete="new-password" {...form.getInputProps('again')} />
          <Group justify="flex-end">
            <Button type="submit" loading={change.isPending}>
              Change password
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}
