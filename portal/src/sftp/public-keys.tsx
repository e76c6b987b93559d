import { ActionIcon, Button, Group, Stack, Text, Textarea, Title, Tooltip } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useChange } from '../api/hooks.ts';
import type { OperationId } from '../api/operations.ts';
import { usePermission } from '../api/session.tsx';
import { confirm } from '../kit/confirm.tsx';
import { Copyable } from '../kit/copy.tsx';
import { formatDate } from '../kit/format.ts';
import { notifyDone } from '../kit/notify.ts';
import type { SftpUser } from './use-sftp.ts';

type Key = SftpUser['public_keys'][number];

export function PublicKeys({ user }: { user: SftpUser }) {
  const may = usePermission();
  return (
    <section>
      <Title order={3}>Public keys</Title>
      <Stack gap="sm" mt={4}>
        {user.public_keys.map((key) => (
          <KeyLine key={key.key_id} user={user} sshKey={key} />
        ))}
        {user.public_keys.length === 0 && (
          <Text size="sm" c="dimmed">
            No public keys.
          </Text>
        )}
        {may('addSftpPublicKey') && <AddKey user={user} />}
      </Stack>
    </section>
  );
}

function KeyLine({ user, sshKey }: { user: SftpUser; sshKey: Key }) {
  const may = usePermission();
  const remove = useChange('deleteSftpPublicKey', changed);
  const name = sshKey.comment || sshKey.fingerprint;
  const ask = () =>
    confirm({
      title: `Remove the key ${name}?`,
      text: 'Logins with this key are rejected from now on, and open sessions of this user are closed.',
      action: 'Remove',
      onConfirm: () =>
        remove.mutate(
          { params: { sftp_user_id: user.sftp_user_id, key_id: sshKey.key_id } },
          { onSuccess: () => notifyDone('Key removed.') },
        ),
    });
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start">
      <div style={{ minWidth: 0 }}>
        <Copyable value={sshKey.fingerprint} label="Copy fingerprint" />
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {[sshKey.type, sshKey.comment, `added ${formatDate(sshKey.created_at)}`].filter(Boolean).join(' · ')}
        </Text>
      </div>
      {may('deleteSftpPublicKey') && (
        <Tooltip label="Remove">
          <ActionIcon variant="subtle" color="red" onClick={ask} aria-label={`Remove key ${name}`}>
            <IconTrash size={16} />
          </ActionIcon>
        </Tooltip>
      )}
    </Group>
  );
}

function AddKey({ user }: { user: SftpUser }) {
  const add = useChange('addSftpPublicKey', changed);
  const [text, setText] = useState('');
  const submit = () =>
    add.mutate(
      { params: { sftp_user_id: user.sftp_user_id }, body: { public_key: text.trim() } },
      {
        onSuccess: () => {
          setText('');
          notifyDone('Key added.');
        },
      },
    );
  return (
    <Stack gap="xs" align="flex-start">
      <Textarea
        w="100%"
        label="New public key"
        description="Paste the content of a .pub file: Ed25519, ECDSA, or RSA with at least 3072 bits. Open sessions of this user are closed."
        placeholder="ssh-ed25519 AAAA… comment"
        autosize
        minRows={2}
        classNames={{ input: 'mono' }}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button size="xs" variant="default" disabled={text.trim() === ''} loading={add.isPending} onClick={submit}>
        Add key
      </Button>
    </Stack>
  );
}

const changed = ['getSftpUser', 'listSftpUsers'] satisfies OperationId[];
