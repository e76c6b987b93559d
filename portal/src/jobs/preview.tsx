import { previewClasses } from '@aisle/contract/preview-row';
import { Alert, Chip, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../api/hooks.ts';
import type { ResponseBody } from '../api/operations.ts';
import { useStore } from '../api/store.tsx';
import { type Column, DataTable, pagingOf } from '../kit/data-table.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { formatNumber, relativeTime } from '../kit/format.ts';
import { jobErrorText, problemText } from '../messages/server-text.ts';
import { useMessages } from '../messages/use-messages.ts';
import { Changes } from './changes.tsx';
import { JobProgress } from './job-progress.tsx';
import { hasEnded, type Job } from './status.ts';

type Item = ResponseBody<'getCatalogPreview'>['items'][number];
type Class = (typeof previewClasses)[number];
type Counts = ResponseBody<'getCatalogPreview'>['counts'];

/** What an upload would change, errors and suspicious changes first. */
export function Preview({ job }: { job: Job }) {
  const t = useMessages();
  const [only, setOnly] = useState<Class | 'ALL'>('ALL');
  const [page, setPage] = useState(1);
  const [pageSize, setPageSize] = useState(20);
  const { data } = useRead(
    'getCatalogPreview',
    {
      params: { job_id: job.job_id },
      query: { page, page_size: pageSize, ...(only !== 'ALL' && { class: only }) },
    },
    { refetchInterval: ({ state }) => (hasEnded(job) && isComplete(state.data, job) ? false : 700) },
  );
  const columns = useColumns(job);
  const isRunning = !hasEnded(job);
  const isUnreadable = job.job_status === 'FAILED' && data !== undefined && totalOf(data.counts) === 0;
  return (
    <Stack>
      {isRunning && (
        <div aria-live="polite">
          <Text size="sm">{t('preview.running')}</Text>
          <JobProgress job={job} />
        </div>
      )}
      {job.error && (
        <Alert color="red" title={t('jobs.jobFailed')}>
          <div dir="auto" className="own-direction">
            {jobErrorText(job.error_code, job.error)}
          </div>
        </Alert>
      )}
      {data && <Warnings counts={data.counts} />}
      {data && !isUnreadable && (
        <Classes
          counts={data.counts}
          value={only}
          onChange={(value) => {
            setOnly(value);
            setPage(1);
          }}
        />
      )}
      {!isUnreadable && (
        <DataTable
          label={t('preview.rows')}
          minWidth={300}
          columns={columns}
          rows={data?.items}
          keyOf={(item) => `${item.vendor_id} ${item.row_number}`}
          empty={<EmptyState title={t('preview.none')} />}
          paging={pagingOf(data, page, setPage, (size) => {
            setPageSize(size);
            setPage(1);
          })}
        />
      )}
      {job.expires_at !== undefined && !isUnreadable && (
        <Text size="sm" c="dimmed">
          {t('preview.expires', { time: relativeTime(job.expires_at) })}
        </Text>
      )}
    </Stack>
  );
}

/** Whether the page was read after the last row was checked. */
function isComplete(data: ResponseBody<'getCatalogPreview'> | undefined, job: Job): boolean {
  return data !== undefined && totalOf(data.counts) >= job.progress.processed;
}

function totalOf(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function Warnings({ counts }: { counts: Counts }) {
  const t = useMessages();
  return (
    <>
      {counts.ERROR > 0 && <Alert color="red">{t('preview.errorsHelp', { count: counts.ERROR })}</Alert>}
      {counts.SUSPICIOUS > 0 && (
        <Alert color="orange">{t('preview.suspiciousHelp', { count: counts.SUSPICIOUS })}</Alert>
      )}
    </>
  );
}

type ClassesProps = { counts: Counts; value: Class | 'ALL'; onChange(value: Class | 'ALL'): void };

function Classes({ counts, value, onChange }: ClassesProps) {
  const t = useMessages();
  const options = (['ALL', ...previewClasses] as const).filter((name) => name === 'ALL' || counts[name] > 0);
  return (
    <Chip.Group value={value} onChange={onChange}>
      <Group gap="xs" role="radiogroup" aria-label={t('preview.show')}>
        {options.map((name) => (
          <Chip key={name} value={name} size="md">
            {t('preview.classWithCount', {
              name: t(`preview.class.${name}`),
              count: name === 'ALL' ? totalOf(counts) : counts[name],
            })}
          </Chip>
        ))}
      </Group>
    </Chip.Group>
  );
}

function useColumns(job: Job): Column<Item>[] {
  const t = useMessages();
  const { stores } = useStore();
  const storeOf = (item: Item) => stores.find(({ vendor_id }) => vendor_id === item.vendor_id);
  return [
    { head: t('preview.row'), width: 70, isExtra: true, cell: (item) => formatNumber(item.row_number) },
    {
      head: t('preview.product'),
      cell: (item) => (
        <>
          {item.name !== null && (
            <Text size="sm">
              <bdi>{item.name}</bdi>
            </Text>
          )}
          <Text className="mono" c="dimmed">
            {item.sku === null ? t('preview.noSku') : <bdi dir="ltr">{item.sku}</bdi>}
          </Text>
          {job.vendor_id === undefined && (
            <Text size="xs" c="dimmed">
              {storeOf(item)?.name ?? item.vendor_id}
            </Text>
          )}
        </>
      ),
    },
    {
      head: t('preview.change'),
      cell: (item) => (
        <Stack gap={2}>
          {item.message !== null && (
            <Text size="sm" fw={500} c={item.class === 'ERROR' ? 'var(--mantine-color-error)' : undefined}>
              <bdi>{problemText(item.code, item.message)}</bdi>
            </Text>
          )}
          <Changes item={item} currency={storeOf(item)?.currency} />
        </Stack>
      ),
    },
  ];
}
