import { Card, Group, SimpleGrid, Text, Title } from '@mantine/core';
import { BarChart } from '@mantine/charts';
import { useRead } from '../api/hooks.ts';
import { formatNumber, formatPercent } from '../kit/format.ts';
import { shortDay } from '../statistics/short-day.ts';

/** Statistics on the chain's webhook deliveries in the last 14 days. */
export function HealthCard() {
  const { data } = useRead('getStatistics', {}, { refetchInterval: 5000 });
  if (!data) return null;
  const { attempts, success_rate, median_ms, slow_ms, pending, exhausted, days } = data.webhooks;
  const numbers: [string, string][] = [
    ['Attempts', formatNumber(attempts)],
    ['Successful', success_rate === null ? '–' : formatPercent(success_rate, 1)],
    ['Median response time', median_ms === null ? '–' : `${formatNumber(median_ms)} ms`],
    ['p95 response time', slow_ms === null ? '–' : `${formatNumber(slow_ms)} ms`],
    ['Pending', formatNumber(pending)],
    ['Exhausted', formatNumber(exhausted)],
  ];
  return (
    <Card>
      <Group justify="space-between" mb="sm">
        <Title order={2}>Webhook health</Title>
        <Text size="sm" c="dimmed">
          Last 14 days, excluding pings
        </Text>
      </Group>
      <SimpleGrid cols={{ base: 3, md: 6 }} mb="md">
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
        <BarChart
          h={140}
          withLegend
          legendProps={{ verticalAlign: 'bottom' }}
          data={days.map(({ day, succeeded, failed }) => ({ day: shortDay(day), succeeded, failed }))}
          dataKey="day"
          type="stacked"
          series={[
            { name: 'succeeded', label: 'Succeeded', color: 'aisle.6' },
            { name: 'failed', label: 'Failed', color: 'red.6' },
          ]}
          xAxisProps={{ interval: 'equidistantPreserveStart' }}
          withYAxis={false}
          tickLine="none"
          gridAxis="none"
        />
      )}
    </Card>
  );
}
