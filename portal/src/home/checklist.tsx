import { Anchor, Card, Group, Progress, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconCheck, IconCircleDashed } from '@tabler/icons-react';
import { Link, type LinkProps } from '@tanstack/react-router';
import { useRead } from '../api/hooks.ts';
import { useStore } from '../shell/store.tsx';
import { useStatistics } from '../statistics/use-statistics.ts';
import { useWebhooks } from '../webhooks/use-webhooks.ts';

/** The way to a working integration; what is done ticks itself. */
export function Checklist() {
  const steps = useSteps();
  const done = steps.filter((step) => step.isDone).length;
  return (
    <Card>
      <Group justify="space-between" mb="xs">
        <Title order={2}>Getting started</Title>
        <Text size="sm" c="dimmed">
          {done} of {steps.length}
        </Text>
      </Group>
      <Progress value={(100 * done) / steps.length} size="sm" mb="md" aria-label="Getting started" />
      <Stack gap="sm" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
        {steps.map((step) => (
          <StepLine key={step.title} {...step} />
        ))}
      </Stack>
    </Card>
  );
}

type Step = { title: string; about: string; to: LinkProps['to']; isDone: boolean };

function useSteps(): Step[] {
  const { store } = useStore();
  const tokens = useRead('listTokens', { query: { page_size: 1 } });
  const webhooks = useWebhooks();
  const statistics = useStatistics(store.vendor_id);
  const updates = useRead('listCatalogJobs', { query: { page_size: 1, type: 'CATALOG_UPDATE' } });
  return [
    {
      title: 'Make a token',
      about: 'It opens the API to your systems.',
      to: '/integration/tokens',
      isDone: (tokens.data?.total_items ?? 0) > 0,
    },
    {
      title: 'Set a webhook',
      about: 'So that orders reach you by themselves.',
      to: '/integration/webhooks',
      isDone: (webhooks?.length ?? 0) > 0,
    },
    {
      title: 'Receive a test order',
      about: 'Your receiver answers it with 2xx.',
      to: '/test-order',
      isDone: statistics?.webhooks.days.some(({ succeeded }) => succeeded > 0) ?? false,
    },
    {
      title: 'Fulfil an order',
      about: 'By PUT from your system, or by hand here.',
      to: '/orders',
      isDone: (statistics?.orders.fulfilment_rate ?? null) !== null,
    },
    {
      title: 'Update many products at once',
      about: 'Upload a file, or send them in one request.',
      to: '/catalog/upload',
      isDone: (updates.data?.total_items ?? 0) > 0,
    },
  ];
}

function StepLine({ title, about, to, isDone }: Step) {
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="flex-start">
      <ThemeIcon
        variant={isDone ? 'filled' : 'default'}
        radius="xl"
        size="sm"
        mt={2}
        aria-label={isDone ? 'Done' : 'To do'}
        role="img"
      >
        {isDone ? <IconCheck size={14} /> : <IconCircleDashed size={14} />}
      </ThemeIcon>
      <div>
        <Anchor component={Link} to={to} size="sm" fw={500} c="var(--mantine-color-text)">
          {title}
        </Anchor>
        <Text size="sm" c="dimmed">
          {about}
        </Text>
      </div>
    </Group>
  );
}
