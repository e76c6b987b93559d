import { ActionIcon, Card, Group, Menu, Select } from '@mantine/core';
import { useForm } from '@mantine/form';
import { platformRoles } from '@aisle/contract/route';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import { type Invited, InvitationLink } from '../identity/invitation-link.tsx';
import { askDeleteUser, askResetFactor, newUserRules } from '../identity/user-rules.ts';
import { DataTable, pagingOf } from '../kit/data-table.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { humanize } from '../kit/format.ts';
import { Page } from '../kit/page.tsx';
import { Time } from '../kit/time.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { type PlatformBody, usePlatform, usePlatformChange } from './api.ts';
import { NewUserForm, showErrors } from './new-user-form.tsx';

type User = PlatformBody<'platformListConsoleUsers'>['users'][number];

/** The users of the console. */
export function Users() {
  const t = useMessages();
  const [page, setPage] = useState(1);
  const [invited, setInvited] = useState<Invited>();
  const { data } = usePlatform('platformListConsoleUsers', { query: { page } });
  return (
    <Page title={t('console.users')} about={t('console.usersAbout')}>
      <DataTable
        label={t('console.users')}
        columns={[
          { head: t('console.email'), cell: ({ email }) => email },
          { head: t('console.name'), cell: ({ name }) => name },
          { head: t('console.role'), cell: (user) => <RoleSelect user={user} /> },
          {
            head: t('console.secondFactor'),
            cell: ({ has_second_factor: isOn }) => (isOn ? t('console.on') : t('console.off')),
            isExtra: true,
          },
          { head: t('console.lastSignIn'), cell: ({ last_sign_in_at }) => <Time at={last_sign_in_at} /> },
          { head: '', cell: (user) => <Actions user={user} onInvited={setInvited} /> },
        ]}
        rows={data?.users}
        keyOf={(row) => row.user_id}
        paging={pagingOf(data, page, setPage)}
        empty={<EmptyState title={t('console.noUsers')} />}
      />
      <Invite onInvited={setInvited} />
      {invited && <InvitationLink invited={invited} onClose={() => setInvited(undefined)} />}
    </Page>
  );
}

const roleOptions = () => platformRoles.map((value) => ({ value, label: humanize(value) }));

function RoleSelect({ user }: { user: User }) {
  const t = useMessages();
  const update = usePlatformChange('platformUpdateConsoleUser', ['platformListConsoleUsers']);
  return (
    <Select
      aria-label={t('console.role')}
      data={roleOptions()}
      value={user.role}
      allowDeselect={false}
      size="xs"
      w={140}
      onChange={(role) => {
        const found = platformRoles.find((one) => one === role);
        if (found && found !== user.role) update.mutate({ params: { user_id: user.user_id }, body: { role: found } });
      }}
    />
  );
}

function Actions({ user, onInvited }: { user: User; onInvited(invited: Invited): void }) {
  const t = useMessages();
  const params = { user_id: user.user_id };
  const invite = usePlatformChange('platformInviteConsoleUser', ['platformListConsoleUsers']);
  const reset = usePlatformChange('platformResetConsoleSecondFactor', ['platformListConsoleUsers']);
  const remove = usePlatformChange('platformDeleteConsoleUser', ['platformListConsoleUsers']);
  return (
    <Group justify="flex-end">
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t('users.actionsFor', { name: user.name })}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => invite.mutate({ params }, { onSuccess: onInvited })}>
            {t('users.newInvitation')}
          </Menu.Item>
          {user.has_second_factor && (
            <Menu.Item onClick={() => askResetFactor(user.name, (callbacks) => reset.mutate({ params }, callbacks))}>
              {t('users.resetFactor')}
            </Menu.Item>
          )}
          <Menu.Item
            color="red"
            onClick={() => askDeleteUser(user.name, (callbacks) => remove.mutate({ params }, callbacks))}
          >
            {t('users.delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}

function Invite({ onInvited }: { onInvited(invited: Invited): void }) {
  const t = useMessages();
  const form = useForm({
    initialValues: { email: '', name: '', role: 'SUPPORT' as User['role'] },
    validate: newUserRules,
  });
  const create = usePlatformChange('platformCreateConsoleUser', ['platformListConsoleUsers'], (error) =>
    showErrors(form, error),
  );
  const invite = (body: typeof form.values) =>
    create.mutate(
      { body },
      {
        onSuccess: (user) => {
          form.reset();
          onInvited(user);
        },
      },
    );
  return (
    <Card>
      <NewUserForm
        title={t('users.newUser')}
        help={t('console.rolesHelp')}
        form={form}
        isPending={create.isPending}
        onSubmit={invite}
      >
        <Select label={t('console.role')} data={roleOptions()} allowDeselect={false} {...form.getInputProps('role')} />
      </NewUserForm>
    </Card>
  );
}
