import { Card, Group, SimpleGrid, Text, Title } from '@mantine/core';
import { useRead } from '../api/hooks.ts';
import { Chart } from '../kit/chart.tsx';
import { formatMilliseconds, formatNumber, formatPercent } from '../kit/format.ts';
import { shortDay } from '../statistics/short-day.ts';
import { useMessages } from '../messages/use-messages.ts';

/** Statistics on the chain's webhook deliveries in the last 14 days. */
export function HealthCard() {
  const t = useMessages();
  const { data } = useRead('getStatistics', {}, { refetchInterval: 5000 });
  if (!data) return null;
  const { attempts, success_rate, median_ms, slow_ms, pending, exhausted, days } = data.webhooks;
  const numbers: [string, string][] = [
    [t('webhooks.attempts'), formatNumber(attempts)],
    [t('webhooks.successful'), success_rate === null ? '–' : formatPercent(success_rate, 1)],
    [t('webhooks.median'), median_ms === null ? '–' : formatMilliseconds(median_ms)],
    [t('webhooks.p95'), slow_ms === null ? '–' : formatMilliseconds(slow_ms)],
    [t('webhooks.pending'), formatNumber(pending)],
    [t('webhooks.exhausted'), formatNumber(exhausted)],
  ];
  return (
    <Card>
      <Group justify="space-between" mb="sm">
        <Title order={2}>{t('webhooks.health')}</Title>
        <Text size="sm" c="dimmed">
          {t('webhooks.healthPeriod')}
        </Text>
      </Group>
      <SimpleGrid cols={{ base: 2, xs: 3, md: 6 }} mb="md">
        {numbers.map(([name, value]) => (
          <div key={name}>
            <Text size="xs" c="dimmed">
              {name}
            </Text>
            <Text fw={600}>{value}</Text>
          </div>
        ))}
      </SimpleGrid>
      {attempts > 0 && (
        <Chart
          label={t('webhooks.health')}
          height={110}
          hasAxis={false}
          points={days.map(({ day, succeeded, failed }) => ({ label: shortDay(day), values: [succeeded, failed] }))}
          series={[
            { label: t('webhooks.succeeded'), color: 'aisle-6' },
            { label: t('webhooks.failed'), color: 'red-6' },
          ]}
        />
      )}
    </Card>
  );
}
