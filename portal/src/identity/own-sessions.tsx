import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useChange, useRead } from '../api/hooks.ts';
import { confirm } from '../kit/confirm.tsx';
import { notifyDone } from '../kit/notify.ts';
import { SessionList } from './session-list.tsx';

export function OwnSessions() {
  const { data } = useRead('listOwnSessions', { query: { page_size: 100 } });
  const end = useChange('endOwnSession', ['listOwnSessions']);
  const endOthers = useChange('endOtherSessions', ['listOwnSessions']);
  const askEndOthers = () =>
    confirm({
      title: 'End all other sessions?',
      text: 'You stay signed in here and are signed out everywhere else.',
      action: 'End sessions',
      onConfirm: () => endOthers.mutate({}, { onSuccess: () => notifyDone('You are signed out everywhere else.') }),
    });
  return (
    <Card padding="lg">
      <Stack>
        <Title order={2}>Where you are signed in</Title>
        <Text size="sm" c="dimmed">
          End sessions that you do not recognize, then change your password.
        </Text>
        <SessionList
          label="Your sessions"
          sessions={data?.sessions}
          onEnd={({ session_id }) =>
            end.mutate({ params: { session_id } }, { onSuccess: () => notifyDone('Session ended.') })
          }
        />
        {data && data.total_items > 1 && (
          <Group justify="flex-end">
            <Button variant="default" onClick={askEndOthers} loading={endOthers.isPending}>
              End all other sessions
            </Button>
          </Group>
        )}
      </Stack>
    </Card>
  );
}
