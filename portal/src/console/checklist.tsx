import { Card, Group, Progress, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconCheck, IconCircleDashed } from '@tabler/icons-react';
import { formatNumber } from '../kit/format.ts';
import { useMessages } from '../messages/use-messages.ts';
import { usePlatform } from './api.ts';

/** What the chain needs before customers can order. The chain sees the same steps in its portal. */
export function Checklist({ chainId }: { chainId: string }) {
  const t = useMessages();
  const { data } = usePlatform(
    'platformGetChecklist',
    { params: { chain_id: chainId } },
    { refetchInterval: 10_000, throwOnError: false },
  );
  if (!data) return null;
  const done = data.steps.filter((step) => step.is_done).length;
  return (
    <Card>
      <Group justify="space-between" mb="xs">
        <Title order={2}>{t('console.checklist')}</Title>
        <Text size="sm" c="dimmed">
          {t('console.doneOf', { done, total: data.steps.length })}
        </Text>
      </Group>
      <Progress value={(100 * done) / data.steps.length} size="sm" mb="md" aria-label={t('console.checklist')} />
      <Stack gap="sm" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
        {data.steps.map(({ step, is_done: isDone, count }) => (
          <Group key={step} component="li" gap="sm" wrap="nowrap" align="flex-start">
            <ThemeIcon size="sm" radius="xl" variant="light" color={isDone ? 'teal' : 'gray'}>
              {isDone ? (
                <IconCheck size={14} aria-label={t('console.done')} />
              ) : (
                <IconCircleDashed size={14} aria-label={t('console.notDone')} />
              )}
            </ThemeIcon>
            <Text size="sm">
              {t(`console.step.${step}`)}
              {isDone && count > 1 && ` (${formatNumber(count)})`}
            </Text>
          </Group>
        ))}
      </Stack>
      <Text size="sm" c="dimmed" mt="md">
        {t('console.checklistHelp')}
      </Text>
    </Card>
  );
}
