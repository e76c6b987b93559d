import { Alert, Card, Group, RingProgress, Skeleton, Stack, Text, Title } from '@mantine/core';
import { formatPercent } from '../kit/format.ts';
import { InlineLink, TextLink } from '../kit/link.tsx';
import { Rich } from '../messages/rich.tsx';
import { useMessages } from '../messages/use-messages.ts';
import type { Statistics } from '../statistics/use-statistics.ts';
import { useWebhooks } from '../webhooks/use-webhooks.ts';

export function WebhookHealth({ statistics }: { statistics: Statistics | undefined }) {
  const t = useMessages();
  const webhooks = useWebhooks();
  const isOff = webhooks?.some((webhook) => webhook.status === 'DISABLED');
  return (
    <Card h="100%">
      <Group justify="space-between" mb="sm">
        <Title order={2}>{t('home.webhooks')}</Title>
        <TextLink to="/integration/deliveries" size="sm">
          {t('home.deliveries')}
        </TextLink>
      </Group>
      {!statistics && <Skeleton height={120} />}
      {statistics && webhooks?.length === 0 && (
        <Text size="sm" c="dimmed">
          <Rich
            message="home.noWebhook"
            values={{ link: <InlineLink to="/integration/webhooks">{t('home.addWebhook')}</InlineLink> }}
          />
        </Text>
      )}
      {isOff && (
        <Alert color="red" mb="sm">
          {t('home.webhookDisabled')} <InlineLink to="/integration/webhooks">{t('home.viewDetails')}</InlineLink>
        </Alert>
      )}
      {statistics && webhooks && webhooks.length > 0 && <Numbers webhooks={statistics.webhooks} />}
    </Card>
  );
}

function Numbers({ webhooks }: { webhooks: Statistics['webhooks'] }) {
  const t = useMessages();
  const { attempts, success_rate, median_ms, slow_ms, pending, exhausted } = webhooks;
  if (success_rate === null) {
    return (
      <Text size="sm" c="dimmed">
        {pending > 0 ? t('home.onlyPending', { pending }) : t('home.noDeliveries')}
      </Text>
    );
  }
  const share = 100 * success_rate;
  return (
    <Group wrap="nowrap">
      <RingProgress
        size={110}
        thickness={10}
        aria-label={t('home.successful', { percent: formatPercent(success_rate, 1) })}
        label={
          <Text ta="center" fw={600} size="sm">
            {formatPercent(success_rate, 1)}
          </Text>
        }
        sections={[
          { value: share, color: 'aisle.6' },
          { value: 100 - share, color: 'red.6' },
        ]}
      />
      <Stack gap={2}>
        <Text size="sm">{t('home.attempts', { count: attempts })}</Text>
        {median_ms !== null && <Text size="sm">{t('home.median', { ms: median_ms })}</Text>}
        {slow_ms !== null && <Text size="sm">{t('home.p95', { ms: slow_ms })}</Text>}
        <Text size="sm" c="dimmed">
          {t('home.backlog', { pending, exhausted })}
        </Text>
      </Stack>
    </Group>
  );
}
