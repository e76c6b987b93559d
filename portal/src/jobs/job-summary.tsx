import { Alert, Card, Group, SimpleGrid, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { formatNumber, humanize } from '../kit/format.ts';
import { State } from '../kit/state.tsx';
import { useStore } from '../api/store.tsx';
import { JobProgress } from './job-progress.tsx';
import { type Job, useJob } from './use-job.ts';

/** The progress and result of a job. */
export function JobSummary({ jobId }: { jobId: string }) {
  const job = useJob(jobId);
  if (!job) return <Skeleton height={180} />;
  return (
    <Stack>
      <Card>
        <Stack gap="sm">
          <Group justify="space-between">
            <Title order={2}>{humanize(job.job_type)}</Title>
            <State value={job.job_status} />
          </Group>
          <JobProgress job={job} />
          <Counts job={job} />
        </Stack>
      </Card>
      {job.error && (
        <Alert color="red" title="Job failed">
          {job.error}
        </Alert>
      )}
      <Feedback job={job} />
    </Stack>
  );
}

function Counts({ job }: { job: Job }) {
  const { total, processed, succeeded, unchanged, failed } = job.progress;
  const numbers: [string, number][] =
    job.job_type === 'CATALOG_EXPORT'
      ? [['Products', succeeded]]
      : [
          ['Total', total],
          ['Processed', processed],
          [job.job_type === 'PRODUCT_CREATION' ? 'Created' : 'Changed', succeeded],
          ['Unchanged', unchanged],
          ['Failed', failed],
        ];
  return (
    <SimpleGrid cols={{ base: 2, xs: 3, sm: 5 }}>
      {numbers.map(([name, value]) => (
        <div key={name}>
          <Text size="xs" c="dimmed">
            {name}
          </Text>
          <Text fw={600} size="lg" c={name === 'Failed' && value > 0 ? 'var(--mantine-color-error)' : undefined}>
            {formatNumber(value)}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  );
}

const shownFeedback = 100;

function Feedback({ job }: { job: Job }) {
  const { stores } = useStore();
  const nameOf = (id: string | null) => stores.find((store) => store.vendor_id === id)?.name ?? id ?? '–';
  const feedback = job.result.item_level_feedback;
  if (feedback.length === 0) return null;
  return (
    <Card padding={0}>
      <Group justify="space-between" p="md" pb={0}>
        <Title order={3}>Failed items</Title>
        {job.progress.failed > shownFeedback && (
          <Text size="sm" c="dimmed">
            First {Math.min(shownFeedback, feedback.length)} items. Download the log to see all.
          </Text>
        )}
      </Group>
      <Table.ScrollContainer minWidth={420} type="native">
        <Table aria-label="Failed items">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>SKU</Table.Th>
              <Table.Th>Store</Table.Th>
              <Table.Th>Reason</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {feedback.slice(0, shownFeedback).map((item, index) => (
              <Table.Tr key={index}>
                <Table.Td className="mono">{item.sku ?? '–'}</Table.Td>
                <Table.Td>{nameOf(item.vendor_id)}</Table.Td>
                <Table.Td>{item.rejection_reasons.map(({ rejected_reason }) => rejected_reason).join(' ')}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Card>
  );
}
