import { ActionIcon, Badge, Button, Card, Menu, Select, Switch, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Role } from '@aisle/contract/route';
import {
  IconDeviceMobileOff,
  IconDevices,
  IconDots,
  IconKey,
  IconBuildingStore,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react';
import { useState } from 'react';
import { useChange, useRead } from '../api/hooks.ts';
import type { ResponseBody } from '../api/operations.ts';
import { usePermission, useSession } from '../api/session.tsx';
import { confirm } from '../kit/confirm.tsx';
import { type Column, DataTable, pagingOf } from '../kit/data-table.tsx';
import { notifyDone } from '../kit/notify.ts';
import { Page } from '../kit/page.tsx';
import { Secret } from '../kit/secret.tsx';
import { State } from '../kit/state.tsx';
import { Time } from '../kit/time.tsx';
import { NewUser } from './new-user.tsx';
import { roleChoices, roleLabels } from './roles.ts';
import { StoreList } from './store-picker.tsx';
import { UserSessions } from './user-sessions.tsx';
import { UserStores } from './user-stores.tsx';

type User = ResponseBody<'listUsers'>['users'][number];

export function UsersPage() {
  const may = usePermission();
  const [page, setPage] = useState(1);
  const [isCreating, { open, close }] = useDisclosure(false);
  const { data } = useRead('listUsers', { query: { page, page_size: 50 } });
  return (
    <Page
      title="Users"
      about="People who can sign in to this portal, and what they can do."
      actions={
        may('createUser') && (
          <Button leftSection={<IconPlus size={16} />} onClick={open}>
            New user
          </Button>
        )
      }
    >
      <DataTable
        label="Users"
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
  const may = usePermission();
  const { user: me } = useSession();
  return [
    {
      head: 'Name',
      cell: (user) => (
        <>
          <Text size="sm" fw={500}>
            {user.name}{' '}
            {user.user_id === me.user_id && (
              <Text span c="dimmed" size="sm">
                (you)
              </Text>
            )}
          </Text>
          <Text size="sm" c="dimmed">
            {user.email}
          </Text>
        </>
      ),
    },
    { head: 'Role', cell: (user) => <RoleOf user={user} /> },
    { head: 'Stores', cell: ({ vendor_ids }) => <StoreList value={vendor_ids} /> },
    {
      head: 'Second factor',
      cell: (user) => (user.has_second_factor ? <Badge variant="light">On</Badge> : <Text size="sm">Off</Text>),
      isExtra: true,
    },
    { head: 'Last sign-in', cell: (user) => <Time at={user.last_sign_in_at} /> },
    { head: 'Created', cell: (user) => <Time at={user.created_at} />, isExtra: true },
    ...(may('deleteUser') ? [{ head: '', width: 50, cell: (user: User) => <Actions user={user} /> }] : []),
  ];
}

function RoleOf({ user }: { user: User }) {
  const may = usePermission();
  const update = useChange('updateUser', ['listUsers', 'getSession']);
  if (!may('updateUser')) return <State value={user.role} />;
  const change = (role: Role) =>
    update.mutate(
      { params: { user_id: user.user_id }, body: { role } },
      { onSuccess: () => notifyDone(`${user.name} now has the ${roleLabels[role].title.toLowerCase()} role.`) },
    );
  return (
    <Select
      size="xs"
      w={150}
      aria-label={`Role of ${user.name}`}
      data={roleChoices.map((role) => ({ value: role, label: roleLabels[role].title }))}
      value={user.role}
      onChange={(role) => role && role !== user.role && change(role)}
      allowDeselect={false}
    />
  );
}

function OwnersNeedSecondFactor() {
  const may = usePermission();
  const { data } = useRead('getSettings', {});
  const update = useChange('updateSettings', ['getSettings', 'getSession']);
  const change = (isRequired: boolean) =>
    update.mutate(
      { body: { require_second_factor_for_owners: isRequired } },
      { onSuccess: () => notifyDone(isRequired ? 'Owners need a second factor.' : 'The second factor is optional.') },
    );
  return (
    <Card padding="lg">
      <Switch
        label="Require a second factor for owners"
        description="Owners without one must set one up before they can do anything else."
        checked={data?.require_second_factor_for_owners ?? false}
        onChange={(event) => change(event.currentTarget.checked)}
        disabled={!data || update.isPending || !may('updateSettings')}
      />
    </Card>
  );
}

function Actions({ user }: { user: User }) {
  const { user: me } = useSession();
  const [isShowingSessions, sessions] = useDisclosure(false);
  const [isShowingStores, stores] = useDisclosure(false);
  const resetFactor = useChange('resetSecondFactor', ['listUsers']);
  const askResetFactor = () =>
    confirm({
      title: `Reset ${user.name}'s second factor?`,
      text: 'Only do this if they lost their phone and recovery codes. Make sure that it is really them who is asking. They are signed out everywhere, and sign in with the password alone until they set it up again.',
      action: 'Reset second factor',
      onConfirm: () =>
        resetFactor.mutate(
          { params: { user_id: user.user_id } },
          { onSuccess: () => notifyDone(`${user.name}'s second factor is off.`) },
        ),
    });
  const remove = useChange('deleteUser', ['listUsers']);
  const reset = useChange('resetPassword');
  const askDelete = () =>
    confirm({
      title: `Delete ${user.name}?`,
      text: 'They are signed out everywhere and cannot sign in again.',
      action: 'Delete',
      onConfirm: () =>
        remove.mutate({ params: { user_id: user.user_id } }, { onSuccess: () => notifyDone(`${user.name} deleted.`) }),
    });
  const askReset = () =>
    confirm({
      title: `Reset ${user.name}'s password?`,
      text: 'The old password stops working, and they are signed out everywhere.',
      action: 'Reset password',
      onConfirm: () => reset.mutate({ params: { user_id: user.user_id } }),
    });
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${user.name}`}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconKey size={16} />} onClick={askReset}>
            Reset password
          </Menu.Item>
          <Menu.Item leftSection={<IconBuildingStore size={16} />} onClick={stores.open}>
            Stores
          </Menu.Item>
          <Menu.Item leftSection={<IconDevices size={16} />} onClick={sessions.open}>
            Sessions
          </Menu.Item>
          {user.has_second_factor && user.user_id !== me.user_id && (
            <Menu.Item leftSection={<IconDeviceMobileOff size={16} />} onClick={askResetFactor}>
              Reset second factor
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconTrash size={16} />} onClick={askDelete}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isShowingStores && <UserStores user={user} onClose={stores.close} />}
      {isShowingSessions && <UserSessions user={user} onClose={sessions.close} />}
      {reset.data?.password && (
        <Secret
          title={`New password for ${user.name}`}
          label="Password"
          secret={reset.data.password}
          onClose={reset.reset}
        />
      )}
    </>
  );
}
