import { Button, Drawer, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconKey, IconTrash } from '@tabler/icons-react';
import { useChange, useRead } from '../api/hooks.ts';
import { usePermission } from '../api/session.tsx';
import { confirm } from '../kit/confirm.tsx';
import { Copyable } from '../kit/copy.tsx';
import { formatDateTime } from '../kit/format.ts';
import { notifyDone } from '../kit/notify.ts';
import { useMessages } from '../messages/use-messages.ts';
import { AccessForm } from './access-form.tsx';
import { PasswordOnce } from './password-once.tsx';
import { PublicKeys } from './public-keys.tsx';
import type { SftpUser } from './use-sftp.ts';

type DrawerProps = { sftpUserId: string; onClose(): void };

/** An SFTP user with everything that can be changed: password, public keys and access. */
export function SftpUserDrawer({ sftpUserId, onClose }: DrawerProps) {
  const t = useMessages();
  const may = usePermission();
  const { data, error } = useRead('getSftpUser', { params: { sftp_user_id: sftpUserId } }, { throwOnError: false });
  const user = data?.sftp_user_id === sftpUserId ? data : undefined;
  return (
    <Drawer opened onClose={onClose} title={user?.name ?? t('sftp.sftpUser')} size="lg">
      {error && !user && (
        <Text dir="auto" className="own-direction">
          {error.message}
        </Text>
      )}
      {!user && !error && <Skeleton height={300} />}
      {user && (
        <Stack gap="xl">
          <div>
            <Copyable value={user.username} label={t('sftp.copyUsername')} isWhole />
            <Text size="sm" c="dimmed">
              {user.last_login_at
                ? t('sftp.createdLogin', {
                    created: formatDateTime(user.created_at),
                    login: formatDateTime(user.last_login_at),
                  })
                : t('sftp.createdNever', { created: formatDateTime(user.created_at) })}
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
  const t = useMessages();
  const may = usePermission();
  const params = { sftp_user_id: user.sftp_user_id };
  const reset = useChange('resetSftpPassword', ['getSftpUser', 'listSftpUsers']);
  const update = useChange('updateSftpUser', ['getSftpUser', 'listSftpUsers']);
  const askReset = () =>
    confirm({
      title: t('sftp.resetAsk', { username: user.username }),
      text: t('sftp.resetText'),
      action: t('sftp.reset'),
      onConfirm: () => reset.mutate({ params }),
    });
  const askRemove = () =>
    confirm({
      title: t('sftp.removePasswordAsk', { username: user.username }),
      text: t('sftp.removePasswordText'),
      action: t('sftp.removePassword'),
      onConfirm: () =>
        update.mutate(
          { params, body: { password_login: false } },
          { onSuccess: () => notifyDone(t('sftp.passwordRemoved', { username: user.username })) },
        ),
    });
  return (
    <section>
      <Title order={3}>{t('sftp.password')}</Title>
      <Text size="sm" c="dimmed" mb="xs">
        {user.password_login ? t('sftp.hasPassword') : t('sftp.noPassword')}
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
            {user.password_login ? t('sftp.reset') : t('sftp.generate')}
          </Button>
          {user.password_login && (
            <Button size="xs" variant="default" loading={update.isPending} onClick={askRemove}>
              {t('sftp.removePassword')}
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
  const t = useMessages();
  const revoke = useChange('deleteSftpUser', ['listSftpUsers']);
  const ask = () =>
    confirm({
      title: t('sftp.revokeAsk', { username: user.username }),
      text: t('sftp.revokeText'),
      action: t('sftp.revoke'),
      onConfirm: () =>
        revoke.mutate(
          { params: { sftp_user_id: user.sftp_user_id } },
          {
            onSuccess: () => {
              notifyDone(t('sftp.revoked', { username: user.username }));
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
        {t('sftp.revokeUser')}
      </Button>
    </Group>
  );
}
