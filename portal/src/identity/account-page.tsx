import { Card, Stack, Table } from '@mantine/core';
import { useSession } from '../api/session.tsx';
import { formatDateTime } from '../kit/format.ts';
import { Page } from '../kit/page.tsx';
import { State } from '../kit/state.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { ChangePassword } from './change-password.tsx';
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
        <ChangePassword />
      </Stack>
    </Page>
  );
}
