import { ActionIcon, Button, Menu, Select, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Role } from '@aisle/contract/route';
import { IconDots, IconKey, IconPlus, IconTrash } from '@tabler/icons-react';
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

function Actions({ user }: { user: User }) {
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
          <Menu.Item leftSection={<IconTrash size={16} />} onClick={askDelete}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
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
