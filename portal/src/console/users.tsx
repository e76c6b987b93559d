import { ActionIcon, Button, Card, Group, Menu, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { platformRoles } from '@aisle/contract/route';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import { fieldErrorsOf } from '../api/field-errors.ts';
import { notifyFailure } from '../api/notify-failure.ts';
import { confirm } from '../kit/confirm.tsx';
import { DataTable, pagingOf } from '../kit/data-table.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { humanize } from '../kit/format.ts';
import { Page } from '../kit/page.tsx';
import { Secret } from '../kit/secret.tsx';
import { Time } from '../kit/time.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { type PlatformBody, usePlatform, usePlatformChange } from './api.ts';

type User = PlatformBody<'platformListConsoleUsers'>['users'][number];

/** The users of the console. */
export function Users() {
  const t = useMessages();
  const [page, setPage] = useState(1);
  const [link, setLink] = useState<string>();
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
          { head: '', cell: (user) => <Actions user={user} onLink={setLink} /> },
        ]}
        rows={data?.users}
        keyOf={(row) => row.user_id}
        paging={pagingOf(data, page, setPage)}
        empty={<EmptyState title={t('console.noUsers')} />}
      />
      <Invite onLink={setLink} />
      {link && (
        <Secret
          title={t('console.invitationLink')}
          label={t('console.invitationLink')}
          secret={link}
          onClose={() => setLink(undefined)}
        />
      )}
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

function Actions({ user, onLink }: { user: User; onLink(link: string): void }) {
  const t = useMessages();
  const params = { user_id: user.user_id };
  const invite = usePlatformChange('platformInviteConsoleUser', ['platformListConsoleUsers']);
  const reset = usePlatformChange('platformResetConsoleSecondFactor', ['platformListConsoleUsers']);
  const remove = usePlatformChange('platformDeleteConsoleUser', ['platformListConsoleUsers']);
  return (
    <Group justify="flex-end">
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t('console.manage')}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            onClick={() => invite.mutate({ params }, { onSuccess: ({ invitation }) => onLink(invitation.url) })}
          >
            {t('console.inviteAgain')}
          </Menu.Item>
          {user.has_second_factor && (
            <Menu.Item onClick={() => reset.mutate({ params })}>{t('console.resetSecondFactor')}</Menu.Item>
          )}
          <Menu.Item
            color="red"
            onClick={() =>
              confirm({
                title: t('console.deleteUser'),
                text: t('console.deleteUserText', { email: user.email }),
                action: t('console.deleteUser'),
                onConfirm: () => remove.mutate({ params }),
              })
            }
          >
            {t('console.deleteUser')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}

function Invite({ onLink }: { onLink(link: string): void }) {
  const t = useMessages();
  const form = useForm({ initialValues: { email: '', name: '', role: 'SUPPORT' as User['role'] } });
  const create = usePlatformChange('platformCreateConsoleUser', ['platformListConsoleUsers'], (error) => {
    const errors = fieldErrorsOf(error, ['email', 'name']);
    if (errors) form.setErrors(errors);
    else notifyFailure(error);
  });
  const submit = form.onSubmit((body) =>
    create.mutate(
      { body },
      {
        onSuccess: ({ invitation }) => {
          form.reset();
          onLink(invitation.url);
        },
      },
    ),
  );
  return (
    <Card>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Title order={2}>{t('console.inviteUser')}</Title>
          <Text size="sm" c="dimmed">
            {t('console.rolesHelp')}
          </Text>
          <Group align="flex-end">
            <TextInput type="email" label={t('console.email')} required {...form.getInputProps('email')} />
            <TextInput label={t('console.name')} required {...form.getInputProps('name')} />
            <Select
              label={t('console.role')}
              data={roleOptions()}
              allowDeselect={false}
              {...form.getInputProps('role')}
            />
            <Button type="submit" loading={create.isPending}>
              {t('console.invite')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}
