import { Alert, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Code } from '../kit/code.tsx';
import { Copyable } from '../kit/copy.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { sftpCommand } from './labels.ts';
import { useSftpServer } from './use-sftp.ts';

/** How to connect to the server, with the username of one of the users filled in. */
export function ServerCard({ username = 'USERNAME' }: { username?: string | undefined }) {
  const t = useMessages();
  const server = useSftpServer();
  if (!server) return <Skeleton height={180} />;
  const command = sftpCommand(server, username);
  if (!command) {
    return (
      <Alert color="yellow" title={t('sftp.off')}>
        {t('sftp.offHelp')}
      </Alert>
    );
  }
  return (
    <Card>
      <Stack gap="sm">
        <Title order={2}>{t('sftp.server')}</Title>
        <Group gap="xl" align="flex-start">
          <Fact label={t('sftp.host')} copy={t('sftp.copyHost')} value={server.host ?? ''} />
          <Fact label={t('sftp.port')} copy={t('sftp.copyPort')} value={String(server.port)} />
          {server.host_keys.map(({ type, fingerprint }) => (
            <Fact
              key={fingerprint}
              label={t('sftp.fingerprint', { type })}
              copy={t('sftp.copyFingerprintOf', { type })}
              value={fingerprint}
            />
          ))}
        </Group>
        <Code label={t('sftp.connect')} language="shell" text={command} isWrapped />
        <Text size="sm" c="dimmed">
          {t('sftp.fingerprintHelp')}
        </Text>
      </Stack>
    </Card>
  );
}

function Fact({ label, copy, value }: { label: string; copy: string; value: string }) {
  return (
    <div style={{ minWidth: 0, maxWidth: '100%' }}>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Copyable value={value} label={copy} isWhole />
    </div>
  );
}
