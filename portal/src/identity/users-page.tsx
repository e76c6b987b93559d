import { Badge, Button, Card, Select, Switch, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Role } from '@aisle/contract/route';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useChange, useRead } from '../api/hooks.ts';
import { usePermission, useSession } from '../api/session.tsx';
import { type Column, DataTable, pagingOf } from '../kit/data-table.tsx';
import { notifyDone } from '../kit/notify.ts';
import { Page } from '../kit/page.tsx';
import { State } from '../kit/state.tsx';
import { Time } from '../kit/time.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { NotAllowed } from '../kit/not-allowed.tsx';
import { relativeTime } from '../kit/format.ts';
import { NewUser } from './new-user.tsx';
import { roleChoices, useRoleLabels } from './roles.ts';
import { StoreList } from './store-picker.tsx';
import { type User, UserActions } from './user-actions.tsx';

export function UsersPage() {
  const t = useMessages();
  const { user } = useSession();
  if (user.vendor_ids === null) return <Users />;
  return (
    <Page title={t('users.title')}>
      <NotAllowed>{t('users.needsAllStores')}</NotAllowed>
    </Page>
  );
}

function Users() {
  const t = useMessages();
  const may = usePermission();
  const [page, setPage] = useState(1);
  const [isCreating, { open, close }] = useDisclosure(false);
  const { data } = useRead('listUsers', { query: { page, page_size: 50 } });
  return (
    <Page
      title={t('users.title')}
      about={t('users.about')}
      actions={
        may('createUser') && (
          <Button leftSection={<IconPlus size={16} />} onClick={open}>
            {t('users.invite')}
          </Button>
        )
      }
    >
      <DataTable
        label={t('users.title')}
        columns={useColumns()}
        rows={data?.users}
        keyOf={(user) => user.user_id}
        empty={null}
        paging={data && data.total_pages > 1 ? pagingOf(data, page, setPage) : undefined}
      />
      <OwnersNeedSecondFactor />
      {isCreating && <NewUser onClose={close} />}
    </Page>
  );
}

function useColumns(): Column<User>[] {
  const t = useMessages();
  const may = usePermission();
  const { user: me } = useSession();
  return [
    {
      head: t('users.name'),
      cell: (user) => (
        <>
          <Text size="sm" fw={500}>
            {user.name}{' '}
            {user.user_id === me.user_id && (
              <Text span c="dimmed" size="sm">
                {t('users.you')}
              </Text>
            )}
          </Text>
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {user.email}
          </Text>
        </>
      ),
    },
    { head: t('users.role'), cell: (user) => <RoleOf user={user} /> },
    { head: t('users.stores'), cell: ({ vendor_ids }) => <StoreList value={vendor_ids} /> },
    {
      head: t('users.secondFactor'),
      cell: (user) =>
        user.has_second_factor ? (
          <Badge variant="light">{t('users.on')}</Badge>
        ) : (
          <Text size="sm">{t('users.off')}</Text>
        ),
      isExtra: true,
    },
    { head: t('users.lastSignIn'), cell: (user) => <LastSignIn user={user} /> },
    { head: t('users.created'), cell: (user) => <Time at={user.created_at} />, isExtra: true },
    ...(may('deleteUser') ? [{ head: '', width: 50, cell: (user: User) => <UserActions user={user} /> }] : []),
  ];
}

function LastSignIn({ user: { last_sign_in_at, invitation_expires_at } }: { user: User }) {
  const t = useMessages();
  if (invitation_expires_at === null) return <Time at={last_sign_in_at} />;
  const isExpired = new Date(invitation_expires_at).getTime() < Date.now();
  return (
    <Text size="sm" c={isExpired ? 'red' : 'dimmed'} component="span">
      {isExpired ? t('users.expired') : t('users.invited', { time: relativeTime(invitation_expires_at) })}
    </Text>
  );
}

function RoleOf({ user }: { user: User }) {
  const t = useMessages();
  const labels = useRoleLabels();
  const may = usePermission();
  const update = useChange('updateUser', ['listUsers', 'getSession']);
  if (!may('updateUser')) return <State value={user.role} />;
  const change = (role: Role) =>
    update.mutate(
      { params: { user_id: user.user_id }, body: { role } },
      { onSuccess: () => notifyDone(t('users.roleChanged', { name: user.name, role: labels[role].title })) },
    );
  return (
    <Select
      size="xs"
      w={150}
      aria-label={t('users.roleOf', { name: user.name })}
      data={roleChoices.map((role) => ({ value: role, label: labels[role].title }))}
      value={user.role}
      onChange={(role) => role && role !== user.role && change(role)}
      allowDeselect={false}
    />
  );
}

function OwnersNeedSecondFactor() {
  const t = useMessages();
  const may = usePermission();
  const { data } = useRead('getSettings', {});
  const update = useChange('updateSettings', ['getSettings', 'getSession']);
  const change = (isRequired: boolean) =>
    update.mutate(
      { body: { require_second_factor_for_owners: isRequired } },
      { onSuccess: () => notifyDone(t(isRequired ? 'users.factorRequired' : 'users.factorOptional')) },
    );
  return (
    <Card padding="lg">
      <Switch
        label={t('users.requireFactor')}
        description={t('users.requireFactorHelp')}
        checked={data?.require_second_factor_for_owners ?? false}
        onChange={(event) => change(event.currentTarget.checked)}
        disabled={!data || update.isPending || !may('updateSettings')}
      />
    </Card>
  );
}
