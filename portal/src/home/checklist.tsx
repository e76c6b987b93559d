import { Anchor, Card, Group, Progress, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconCheck, IconCircleDashed } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useRead } from '../api/hooks.ts';

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

type Step = { title: string; about: string; to: '/integration/tokens' | '/catalog/upload' | '/jobs'; isDone: boolean };

function useSteps(): Step[] {
  const tokens = useRead('listTokens', { query: { page_size: 500 } });
  const updates = useRead('listCatalogJobs', { query: { page_size: 1, type: 'CATALOG_UPDATE' } });
  const exports = useRead('listCatalogJobs', { query: { page_size: 1, type: 'CATALOG_EXPORT' } });
  return [
    {
      title: 'Make a token',
      about: 'It opens the API to your systems.',
      to: '/integration/tokens',
      isDone: (tokens.data?.total_items ?? 0) > 0,
    },
    {
      title: 'Call the API with it',
      about: 'The lines below are ready to paste.',
      to: '/integration/tokens',
      isDone: tokens.data?.tokens.some((token) => token.last_used_at !== null) ?? false,
    },
    {
      title: 'Update many products at once',
      about: 'Upload a file, or send them in one request.',
      to: '/catalog/upload',
      isDone: (updates.data?.total_items ?? 0) > 0,
    },
    {
      title: 'Export an assortment',
      about: 'To compare it with your own system.',
      to: '/jobs',
      isDone: (exports.data?.total_items ?? 0) > 0,
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
