import { Button, Drawer, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconKey, IconTrash } from '@tabler/icons-react';
import { useChange, useRead } from '../api/hooks.ts';
import { usePermission } from '../api/session.tsx';
import { confirm } from '../kit/confirm.tsx';
import { Copyable } from '../kit/copy.tsx';
import { formatDateTime } from '../kit/format.ts';
import { notifyDone } from '../kit/notify.ts';
import { AccessForm } from './access-form.tsx';
import { PasswordOnce } from './password-once.tsx';
import { PublicKeys } from './public-keys.tsx';
import type { SftpUser } from './use-sftp.ts';

type DrawerProps = { sftpUserId: string; onClose(): void };

/** An SFTP user with everything that can be changed: password, public keys and access. */
export function SftpUserDrawer({ sftpUserId, onClose }: DrawerProps) {
  const may = usePermission();
  const { data, error } = useRead('getSftpUser', { params: { sftp_user_id: sftpUserId } }, { throwOnError: false });
  const user = data?.sftp_user_id === sftpUserId ? data : undefined;
  return (
    <Drawer opened onClose={onClose} title={user?.name ?? 'SFTP user'} size="lg">
      {error && !user && <Text>{error.message}</Text>}
      {!user && !error && <Skeleton height={300} />}
      {user && (
        <Stack gap="xl">
          <div>
            <Copyable value={user.username} label="Copy username" />
            <Text size="sm" c="dimmed">
              Created {formatDateTime(user.created_at)}.{' '}
              {user.last_login_at ? `Last login ${formatDateTime(user.last_login_at)}.` : 'Never logged in.'}
            </Text>
          </div>
          <Password user={user} />
          <PublicKeys user={user} />
          <AccessForm key={JSON.stringify([user.scopes, user.vendor_ids])} user={user} />
          {may('deleteSftpUser') && <Revoke user={user} onDone={onClose} />}
        </Stack>
      )}
    </Drawer>
  );
}

function Password({ user }: { user: SftpUser }) {
  const may = usePermission();
  const params = { sftp_user_id: user.sftp_user_id };
  const reset = useChange('resetSftpPassword', ['getSftpUser', 'listSftpUsers']);
  const update = useChange('updateSftpUser', ['getSftpUser', 'listSftpUsers']);
  const askReset = () =>
    confirm({
      title: `Reset the password of ${user.username}?`,
      text: 'The old password stops working, and open sessions are closed.',
      action: 'Reset password',
      onConfirm: () => reset.mutate({ params }),
    });
  const askRemove = () =>
    confirm({
      title: `Remove the password of ${user.username}?`,
      text: 'From now on, only public keys work. Open sessions are closed.',
      action: 'Remove password',
      onConfirm: () =>
        update.mutate(
          { params, body: { password_login: false } },
          { onSuccess: () => notifyDone(`The password of ${user.username} was removed.`) },
        ),
    });
  return (
    <section>
      <Title order={3}>Password</Title>
      <Text size="sm" c="dimmed" mb="xs">
        {user.password_login ? 'This user can log in with a password.' : 'This user has no password.'}
      </Text>
      {may('resetSftpPassword') && (
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            leftSection={<IconKey size={14} />}
            loading={reset.isPending}
            onClick={user.password_login ? askReset : () => reset.mutate({ params })}
          >
            {user.password_login ? 'Reset password' : 'Generate password'}
          </Button>
          {user.password_login && (
            <Button size="xs" variant="default" loading={update.isPending} onClick={askRemove}>
              Remove password
            </Button>
          )}
        </Group>
      )}
      {reset.data?.password && (
        <PasswordOnce username={user.username} password={reset.data.password} onClose={reset.reset} />
      )}
    </section>
  );
}

function Revoke({ user, onDone }: { user: SftpUser; onDone(): void }) {
  const revoke = useChange('deleteSftpUser', ['listSftpUsers']);
  const ask = () =>
    confirm({
      title: `Revoke ${user.username}?`,
      text: 'Open sessions are closed, and the user cannot log in again. Files that were uploaded completely are still processed. This cannot be undone.',
      action: 'Revoke',
      onConfirm: () =>
        revoke.mutate(
          { params: { sftp_user_id: user.sftp_user_id } },
          {
            onSuccess: () => {
              notifyDone(`${user.username} revoked.`);
              onDone();
            },
          },
        ),
    });
  return (
    <Group>
      <Button
        color="red.8"
        variant="outline"
        leftSection={<IconTrash size={16} />}
        loading={revoke.isPending}
        onClick={ask}
      >
        Revoke user
      </Button>
    </Group>
  );
}
