import { Alert, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Code } from '../kit/code.tsx';
import { Copyable } from '../kit/copy.tsx';
import { sftpCommand } from './labels.ts';
import { useSftpServer } from './use-sftp.ts';

/** How to connect to the server, with the username of one of the users filled in. */
export function ServerCard({ username = 'USERNAME' }: { username?: string | undefined }) {
  const server = useSftpServer();
  if (!server) return <Skeleton height={180} />;
  const command = sftpCommand(server, username);
  if (!command) {
    return (
      <Alert color="yellow" title="The SFTP server is turned off">
        SFTP users cannot log in until the operator of this installation turns it on.
      </Alert>
    );
  }
  return (
    <Card>
      <Stack gap="sm">
        <Title order={2}>Server</Title>
        <Group gap="xl" align="flex-start">
          <Fact label="Host" value={server.host ?? ''} />
          <Fact label="Port" value={String(server.port)} />
          {server.host_keys.map(({ type, fingerprint }) => (
            <Fact key={fingerprint} label={`Fingerprint (${type})`} value={fingerprint} />
          ))}
        </Group>
        <Code label="Connect" language="shell" text={command} />
        <Text size="sm" c="dimmed">
          At the first login, your client shows a fingerprint. Continue only if it matches the one above.
        </Text>
      </Stack>
    </Card>
  );
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <div style={{ minWidth: 0, maxWidth: '100%' }}>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Copyable value={value} label={`Copy ${label.toLowerCase()}`} />
    </div>
  );
}
