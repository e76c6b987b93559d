import { Badge, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { ResponseBody } from '../api/operations.ts';
import { Time } from '../kit/time.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { Rich } from '../messages/rich.tsx';
import { describeDevice } from './describe-device.ts';

export type ListedSession = ResponseBody<'listOwnSessions'>['sessions'][number];

type SessionListProps = { label: string; sessions: ListedSession[] | undefined; onEnd(session: ListedSession): void };

/** Where a user is signed in, with a button to end each session except the current one. */
export function SessionList({ label, sessions, onEnd }: SessionListProps) {
  const t = useMessages();
  if (!sessions) return <Skeleton height={60} />;
  if (sessions.length === 0) return <Text size="sm">{t('sessions.none')}</Text>;
  return (
    <Stack gap="sm" component="ul" aria-label={label} m={0} p={0} style={{ listStyle: 'none' }}>
      {sessions.map((session) => (
        <Group key={session.session_id} component="li" justify="space-between" gap="sm">
          <div>
            <Group gap="xs">
              <Text size="sm" fw={500}>
                {describeDevice(t, session.device)}
              </Text>
              {session.is_current && (
                <Badge variant="light" tt="none">
                  {t('sessions.this')}
                </Badge>
              )}
            </Group>
            <Text size="sm" c="dimmed" component="div">
              <Rich
                message="sessions.lastUsed"
                values={{
                  address: <bdi>{session.address ?? t('sessions.unknownAddress')}</bdi>,
                  time: <Time at={session.last_used_at} />,
                }}
              />
            </Text>
            <Text size="sm" c="dimmed" component="div">
              <Rich message="sessions.signedIn" values={{ time: <Time at={session.created_at} /> }} />
            </Text>
          </div>
          {!session.is_current && (
            <Button
              size="xs"
              variant="default"
              onClick={() => onEnd(session)}
              aria-label={t('sessions.endOn', { device: session.device ?? t('sessions.unknownDevice') })}
            >
              {t('sessions.end')}
            </Button>
          )}
        </Group>
      ))}
    </Stack>
  );
}
