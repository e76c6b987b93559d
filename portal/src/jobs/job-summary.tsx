import { Alert, Card, Group, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useStore } from '../api/store.tsx';
import { DataTable } from '../kit/data-table.tsx';
import { formatDateTime, formatNumber } from '../kit/format.ts';
import { State } from '../kit/state.tsx';
import type { Translate } from '../messages/catalogue.ts';
import { jobErrorText, problemText } from '../messages/server-text.ts';
import { useMessages } from '../messages/use-messages.ts';
import { JobProgress } from './job-progress.tsx';
import { failedItems, isScheduled, type Job, shownStatus } from './status.ts';
import { titleOf } from './title.ts';
import { useJob } from './use-job.ts';

/** The progress and result of a job. */
export function JobSummary({ jobId }: { jobId: string }) {
  const t = useMessages();
  const job = useJob(jobId);
  if (!job) return <Skeleton height={180} />;
  return (
    <Stack>
      <Card>
        <Stack gap="sm">
          <Group justify="space-between">
            <Title order={2}>{titleOf(job, t)}</Title>
            <State value={shownStatus(job)} />
          </Group>
          {job.apply_at !== undefined && isScheduled(job) ? (
            <Text size="sm">
              {t('jobs.scheduledFor', { time: formatDateTime(job.apply_at) })}. {t('jobs.scheduledHelp')}
            </Text>
          ) : (
            <JobProgress job={job} />
          )}
          {job.dry_run && <Text size="sm">{t('jobs.previewHelp')}</Text>}
          {!couldNotStart(job) && <Counts job={job} />}
        </Stack>
      </Card>
      {job.error && (
        <Alert color="red" title={t('jobs.jobFailed')}>
          <div dir="auto" className="own-direction">
            {jobErrorText(job.error_code, job.error)}
          </div>
        </Alert>
      )}
      <Feedback job={job} />
    </Stack>
  );
}

/** Whether the job failed before it had any items. */
function couldNotStart({ job_status, progress }: Job): boolean {
  return job_status === 'FAILED' && progress.total === 0;
}

function Counts({ job }: { job: Job }) {
  const t = useMessages();
  return (
    <SimpleGrid cols={{ base: 2, xs: 3, sm: 5 }}>
      {countsOf(job, t).map(([name, value, isBad]) => (
        <div key={name}>
          <Text size="xs" c="dimmed">
            {name}
          </Text>
          <Text fw={600} size="lg" c={isBad ? 'var(--mantine-color-error)' : undefined}>
            {formatNumber(value)}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  );
}

function countsOf(job: Job, t: Translate): [name: string, value: number, isBad?: boolean][] {
  const { total, processed, succeeded, unchanged, failed } = job.progress;
  if (job.job_type === 'CATALOG_EXPORT') return [[t('jobs.products'), succeeded]];
  const isRevert = job.reverts_job_id !== undefined;
  return [
    [t('jobs.total'), total],
    [t('jobs.processed'), processed],
    [t(doneKey(job)), succeeded],
    [t(isRevert ? 'jobs.kept' : 'jobs.unchanged'), unchanged],
    [t('jobs.failed'), failed, failed > 0],
  ];
}

function doneKey({ job_type, dry_run, reverts_job_id }: Job) {
  if (dry_run) return 'jobs.wouldChange';
  if (job_type === 'PRODUCT_CREATION') return 'jobs.created';
  return reverts_job_id === undefined ? 'jobs.changed' : 'jobs.restored';
}

const shownFeedback = 100;

function Feedback({ job }: { job: Job }) {
  const t = useMessages();
  const { stores } = useStore();
  const nameOf = (id: string | null) => stores.find((store) => store.vendor_id === id)?.name ?? id ?? '–';
  const feedback = failedItems(job);
  if (feedback.length === 0 || job.dry_run) return null;
  const title = t(job.reverts_job_id === undefined ? 'jobs.failedItems' : 'jobs.keptItems');
  return (
    <DataTable
      label={title}
      title={
        <Group justify="space-between" p="md" pb={0}>
          <Title order={3}>{title}</Title>
          {feedback.length > shownFeedback && (
            <Text size="sm" c="dimmed">
              {t('jobs.firstItems', { count: shownFeedback })}
            </Text>
          )}
        </Group>
      }
      columns={[
        { head: t('jobs.sku'), width: 140, cell: ({ item }) => <span className="mono">{item.sku ?? '–'}</span> },
        { head: t('jobs.store'), cell: ({ item }) => nameOf(item.vendor_id) },
        { head: t('jobs.reason'), cell: ({ item }) => <Reasons item={item} /> },
      ]}
      rows={feedback.slice(0, shownFeedback).map((item, index) => ({ item, index }))}
      keyOf={({ index }) => String(index)}
      empty={null}
      minWidth={420}
    />
  );
}

type FailedItem = Job['result']['item_level_feedback'][number];

function Reasons({ item }: { item: FailedItem }) {
  const reasons = item.rejection_reasons.map(({ rejected_reason }) => rejected_reason).join(' ');
  return <span dir="auto">{problemText(item.code, reasons)}</span>;
}
