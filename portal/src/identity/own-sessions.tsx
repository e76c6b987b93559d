import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useChange, useRead } from '../api/hooks.ts';
import { confirm } from '../kit/confirm.tsx';
import { notifyDone } from '../kit/notify.ts';
import { useMessages } from '../messages/use-messages.ts';
import { SessionList } from './session-list.tsx';

export function OwnSessions() {
  const t = useMessages();
  const { data } = useRead('listOwnSessions', { query: { page_size: 100 } });
  const end = useChange('endOwnSession', ['listOwnSessions']);
  const endOthers = useChange('endOtherSessions', ['listOwnSessions']);
  const askEndOthers = () =>
    confirm({
      title: t('sessions.endOthersAsk'),
      text: t('account.staySignedIn'),
      action: t('sessions.endAction'),
      onConfirm: () => endOthers.mutate({}, { onSuccess: () => notifyDone(t('sessions.endedOthers')) }),
    });
  return (
    <Card padding="lg">
      <Stack>
        <Title order={2}>{t('sessions.title')}</Title>
        <Text size="sm" c="dimmed">
          {t('sessions.about')}
        </Text>
        <SessionList
          label={t('sessions.yours')}
          sessions={data?.sessions}
          onEnd={({ session_id }) =>
            end.mutate({ params: { session_id } }, { onSuccess: () => notifyDone(t('sessions.ended')) })
          }
        />
        {data && data.total_items > 1 && (
          <Group justify="flex-end">
            <Button variant="default" onClick={askEndOthers} loading={endOthers.isPending}>
              {t('sessions.endOthers')}
            </Button>
          </Group>
        )}
      </Stack>
    </Card>
  );
}
