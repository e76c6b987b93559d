import { Anchor, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useRead } from '../api/hooks.ts';
import { JobProgress } from '../jobs/job-progress.tsx';
import { JobState } from '../jobs/job-state.tsx';
import { hasEnded, isScheduled, type Job } from '../jobs/status.ts';
import { titleOf } from '../jobs/title.ts';
import { TextLink } from '../kit/link.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { Time } from '../kit/time.tsx';

export function RecentJobs() {
  const t = useMessages();
  const { data } = useRead(
    'listCatalogJobs',
    { query: { page_size: 4 } },
    { refetchInterval: ({ state }) => (state.data?.jobs.every(hasEnded) ? 10_000 : 1000) },
  );
  return (
    <Card h="100%">
      <Group justify="space-between" mb="sm">
        <Title order={2}>{t('home.jobs')}</Title>
        <Anchor component={Link} to="/jobs" size="sm">
          {t('home.allJobs')}
        </Anchor>
      </Group>
      <Stack gap="sm">
        {data?.jobs.map((job) => <JobLine key={job.job_id} job={job} />) ?? <Skeleton height={160} />}
        {data?.jobs.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('home.noJobs')}
          </Text>
        )}
      </Stack>
    </Card>
  );
}

function JobLine({ job }: { job: Job }) {
  const t = useMessages();
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap={4}>
        <TextLink to="/jobs/$jobId" params={{ jobId: job.job_id }} size="sm" fw={500} c="var(--mantine-color-text)">
          {titleOf(job, t)}
        </TextLink>
        <Group gap="4px 12px">
          {!isScheduled(job) && <Time at={job.created_at} />}
          <JobState job={job} />
        </Group>
      </Group>
      <JobProgress job={job} size="sm" />
    </Stack>
  );
}
