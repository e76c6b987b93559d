import { Badge, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { ResponseBody } from '../api/operations.ts';
import { Time } from '../kit/time.tsx';

export type ListedSession = ResponseBody<'listOwnSessions'>['sessions'][number];

type SessionListProps = { label: string; sessions: ListedSession[] | undefined; onEnd(session: ListedSession): void };

/** Where a user is signed in, with a button to end each session except the current one. */
export function SessionList({ label, sessions, onEnd }: SessionListProps) {
  if (!sessions) return <Skeleton height={60} />;
  if (sessions.length === 0) return <Text size="sm">Not signed in anywhere.</Text>;
  return (
    <Stack gap="sm" component="ul" aria-label={label} m={0} p={0} style={{ listStyle: 'none' }}>
      {sessions.map((session) => (
        <Group key={session.session_id} component="li" justify="space-between" gap="sm">
          <div>
            <Group gap="xs">
              <Text size="sm" fw={500}>
                {session.device ?? 'Unknown device'}
              </Text>
              {session.is_current && <Badge variant="light">This session</Badge>}
            </Group>
            <Group gap={6}>
              <Text size="sm" c="dimmed">
                {session.address ?? 'Unknown address'} · last used
              </Text>
              <Time at={session.last_used_at} />
            </Group>
            <Group gap={6}>
              <Text size="sm" c="dimmed">
                Signed in
              </Text>
              <Time at={session.created_at} />
            </Group>
          </div>
          {!session.is_current && (
            <Button
              size="xs"
              variant="default"
              onClick={() => onEnd(session)}
              aria-label={`End the session on ${session.device ?? 'an unknown device'}`}
            >
              End
            </Button>
          )}
        </Group>
      ))}
    </Stack>
  );
}
