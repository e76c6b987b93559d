import { Alert, Card, Group, RingProgress, Skeleton, Stack, Text, Title } from '@mantine/core';
import { formatNumber, formatPercent } from '../kit/format.ts';
import { InlineLink, TextLink } from '../kit/link.tsx';
import type { Statistics } from '../statistics/use-statistics.ts';
import { useWebhooks } from '../webhooks/use-webhooks.ts';

export function WebhookHealth({ statistics }: { statistics: Statistics | undefined }) {
  const webhooks = useWebhooks();
  const isOff = webhooks?.some((webhook) => webhook.status === 'DISABLED');
  return (
    <Card h="100%">
      <Group justify="space-between" mb="sm">
        <Title order={2}>Webhooks</Title>
        <TextLink to="/integration/deliveries" size="sm">
          Deliveries
        </TextLink>
      </Group>
      {!statistics && <Skeleton height={120} />}
      {statistics && webhooks?.length === 0 && (
        <Text size="sm" c="dimmed">
          No webhook yet. <InlineLink to="/integration/webhooks">Add one</InlineLink> to receive orders automatically.
        </Text>
      )}
      {isOff && (
        <Alert color="red" mb="sm">
          A webhook is disabled. <InlineLink to="/integration/webhooks">View details</InlineLink>
        </Alert>
      )}
      {statistics && webhooks && webhooks.length > 0 && <Numbers webhooks={statistics.webhooks} />}
    </Card>
  );
}

function Numbers({ webhooks }: { webhooks: Statistics['webhooks'] }) {
  const { attempts, success_rate, median_ms, slow_ms, pending, exhausted } = webhooks;
  if (success_rate === null) {
    return (
      <Text size="sm" c="dimmed">
        No deliveries in the last 14 days{pending > 0 ? `; ${formatNumber(pending)} pending.` : '.'}
      </Text>
    );
  }
  const share = 100 * success_rate;
  return (
    <Group wrap="nowrap">
      <RingProgress
        size={110}
        thickness={10}
        aria-label={`${Math.round(share)} percent successful`}
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
        <Text size="sm">{formatNumber(attempts)} attempts</Text>
        {median_ms !== null && <Text size="sm">median response time {formatNumber(median_ms)} ms</Text>}
        {slow_ms !== null && <Text size="sm">p95 response time {formatNumber(slow_ms)} ms</Text>}
        <Text size="sm" c="dimmed">
          {formatNumber(pending)} pending, {formatNumber(exhausted)} exhausted
        </Text>
      </Stack>
    </Group>
  );
}
