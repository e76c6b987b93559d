import { Anchor, Button, Card, Group, Progress, Skeleton, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconCheck, IconCircleDashed } from '@tabler/icons-react';
import { Link, type LinkProps } from '@tanstack/react-router';
import { useRead } from '../api/hooks.ts';
import { useStore } from '../api/store.tsx';
import { useStatistics } from '../statistics/use-statistics.ts';
import { useWebhooks } from '../webhooks/use-webhooks.ts';

/** The steps to a working integration. Completed steps are checked off, and the next one is highlighted. */
export function Checklist() {
  const steps = useSteps();
  if (!steps) return <Skeleton height={360} />;
  return <Steps steps={steps} />;
}

function Steps({ steps }: { steps: Step[] }) {
  const done = steps.filter((step) => step.isDone).length;
  const next = steps.find((step) => !step.isDone);
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
          <StepLine key={step.title} {...step} isNext={step === next} isShort={next === undefined} />
        ))}
      </Stack>
      {done === steps.length && (
        <Text size="sm" mt="md">
          All done. Your integration works end to end. For more, see the{' '}
          <Anchor href="/docs" target="_blank" underline="always" c="inherit" inherit>
            documentation
          </Anchor>
          .
        </Text>
      )}
    </Card>
  );
}

type Step = { title: string; about: string; action: string; to: LinkProps['to']; isDone: boolean };

/** Undefined until everything is loaded, so that a completed step is never briefly shown as open. */
function useSteps(): Step[] | undefined {
  const { store } = useStore();
  const tokens = useRead('listTokens', { query: { page_size: 1 } });
  const webhooks = useWebhooks();
  const statistics = useStatistics(store.vendor_id);
  const updates = useRead('listCatalogJobs', { query: { page_size: 1, type: 'CATALOG_UPDATE' } });
  if (!tokens.data || !webhooks || !statistics || !updates.data) return undefined;
  return [
    {
      title: 'Create a token',
      about: 'Gives your systems access to the API.',
      action: 'View tokens',
      to: '/integration/tokens',
      isDone: tokens.data.total_items > 0,
    },
    {
      title: 'Add a webhook',
      about: 'Orders are sent to your systems automatically.',
      action: 'Add webhook',
      to: '/integration/webhooks',
      isDone: webhooks.length > 0,
    },
    {
      title: 'Receive a test order',
      about: 'Your receiver must respond with a 2xx status.',
      action: 'Send test order',
      to: '/test-order',
      // The statistics do not include pings.
      isDone: statistics.webhooks.days.some(({ succeeded }) => succeeded > 0),
    },
    {
      title: 'Fulfil an order',
      about: 'Send a PUT request from your system, or pick the order in this portal.',
      action: 'View orders',
      to: '/orders',
      isDone: statistics.orders.fulfilment_rate !== null,
    },
    {
      title: 'Update products in bulk',
      about: 'Upload a file or send one request.',
      action: 'Upload file',
      to: '/files/upload',
      isDone: updates.data.total_items > 0,
    },
  ];
}

type StepProps = Step & { isNext: boolean; isShort: boolean };

function StepLine({ title, about, action, to, isDone, isNext, isShort }: StepProps) {
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="flex-start" aria-current={isNext ? 'step' : undefined}>
      <ThemeIcon
        variant={isDone ? 'filled' : isNext ? 'outline' : 'default'}
        radius="xl"
        size="sm"
        mt={2}
        aria-label={isDone ? 'Done' : 'To do'}
        role="img"
      >
        {isDone ? <IconCheck size={14} /> : <IconCircleDashed size={14} />}
      </ThemeIcon>
      <div>
        <Anchor component={Link} to={to} size="sm" fw={isNext ? 600 : 500} c="var(--mantine-color-text)">
          {title}
        </Anchor>
        {!isShort && (
          <Text size="sm" c="dimmed">
            {about}
          </Text>
        )}
        {isNext && (
          <Button component={Link} to={to} size="xs" mt={6}>
            {action}
          </Button>
        )}
      </div>
    </Group>
  );
}
