import { ActionIcon, Button, Group, Stack, Text, Textarea, Title, Tooltip } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { fieldErrorsOf } from '../api/field-errors.ts';
import { useChange } from '../api/hooks.ts';
import { notifyFailure } from '../api/notify-failure.ts';
import type { OperationId } from '../api/operations.ts';
import { usePermission } from '../api/session.tsx';
import { confirm } from '../kit/confirm.tsx';
import { Copyable } from '../kit/copy.tsx';
import { formatDate } from '../kit/format.ts';
import { notifyDone } from '../kit/notify.ts';
import { useMessages } from '../messages/use-messages.ts';
import type { SftpUser } from './use-sftp.ts';

type Key = SftpUser['public_keys'][number];

export function PublicKeys({ user }: { user: SftpUser }) {
  const t = useMessages();
  const may = usePermission();
  return (
    <section>
      <Title order={3}>{t('sftp.publicKeys')}</Title>
      <Stack gap="sm" mt={4}>
        {user.public_keys.map((key) => (
          <KeyLine key={key.key_id} user={user} sshKey={key} />
        ))}
        {user.public_keys.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('sftp.noKeys')}
          </Text>
        )}
        {may('addSftpPublicKey') && <AddKey user={user} />}
      </Stack>
    </section>
  );
}

function KeyLine({ user, sshKey }: { user: SftpUser; sshKey: Key }) {
  const t = useMessages();
  const may = usePermission();
  const remove = useChange('deleteSftpPublicKey', changed);
  const name = sshKey.comment || sshKey.fingerprint;
  const ask = () =>
    confirm({
      title: t('sftp.removeKeyAsk', { name }),
      text: t('sftp.removeKeyText'),
      action: t('sftp.remove'),
      onConfirm: () =>
        remove.mutate(
          { params: { sftp_user_id: user.sftp_user_id, key_id: sshKey.key_id } },
          { onSuccess: () => notifyDone(t('sftp.keyRemoved')) },
        ),
    });
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start">
      <div style={{ minWidth: 0 }}>
        <Copyable value={sshKey.fingerprint} label={t('sftp.copyFingerprint')} isWhole />
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          <bdi>{sshKey.type}</bdi>
          {sshKey.comment && (
            <>
              {' · '}
              <bdi>{sshKey.comment}</bdi>
            </>
          )}
          {' · '}
          {t('sftp.added', { date: formatDate(sshKey.created_at) })}
        </Text>
      </div>
      {may('deleteSftpPublicKey') && (
        <Tooltip label={t('sftp.remove')}>
          <ActionIcon variant="subtle" color="red" onClick={ask} aria-label={t('sftp.removeKey', { name })}>
            <IconTrash size={16} />
          </ActionIcon>
        </Tooltip>
      )}
    </Group>
  );
}

function AddKey({ user }: { user: SftpUser }) {
  const t = useMessages();
  const add = useChange('addSftpPublicKey', changed, (error) => problemOf(error) ?? notifyFailure(error));
  const [text, setText] = useState('');
  const submit = () =>
    add.mutate(
      { params: { sftp_user_id: user.sftp_user_id }, body: { public_key: text.trim() } },
      {
        onSuccess: () => {
          setText('');
          notifyDone(t('sftp.keyAdded'));
        },
      },
    );
  return (
    <Stack gap="xs" align="flex-start">
      <Textarea
        w="100%"
        label={t('sftp.newKey')}
        description={t('sftp.newKeyHelp')}
        placeholder={t('sftp.keyPlaceholder')}
        autosize
        minRows={2}
        classNames={{ input: 'mono' }}
        value={text}
        onChange={(event) => {
          add.reset();
          setText(event.currentTarget.value);
        }}
        error={problemOf(add.error)}
      />
      <Button size="xs" variant="default" disabled={text.trim() === ''} loading={add.isPending} onClick={submit}>
        {t('sftp.addKey')}
      </Button>
    </Stack>
  );
}

function problemOf(error: unknown): string | undefined {
  return fieldErrorsOf(error, ['public_key'])?.['public_key'];
}

const changed = ['getSftpUser', 'listSftpUsers'] satisfies OperationId[];
