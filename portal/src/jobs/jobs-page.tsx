import { jobStatuses, jobTypes } from '@aisle/contract/jobs';
import { Group, Select, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../api/hooks.ts';
import { type Column, DataTable, pagingOf } from '../kit/data-table.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { formatNumber, humanize } from '../kit/format.ts';
import { RowLink } from '../kit/link.tsx';
import { Page } from '../kit/page.tsx';
import { Time } from '../kit/time.tsx';
import { useStore } from '../api/store.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { JobProgress } from './job-progress.tsx';
import { JobState } from './job-state.tsx';
import { titleOf } from './title.ts';
import { hasEnded, type Job } from './status.ts';

type Status = (typeof jobStatuses)[number];
type Kind = (typeof jobTypes)[number];

export function JobsPage() {
  const t = useMessages();
  const navigate = useNavigate();
  const [page, setPage] = useState(1);
  const [status, setStatus] = useState<Status | null>(null);
  const [type, setType] = useState<Kind | null>(null);
  const { data } = useRead(
    'listCatalogJobs',
    { query: { page, page_size: 20, ...(status && { status }), ...(type && { type }) } },
    { refetchInterval: ({ state }) => (state.data?.jobs.every(hasEnded) ? 10_000 : 1000) },
  );
  return (
    <Page title={t('jobs.title')} about={t('jobs.about')}>
      <Group gap="sm">
        <Filter
          label={t('jobs.status')}
          placeholder={t('jobs.allStatuses')}
          options={jobStatuses}
          value={status}
          onChange={(value) => {
            setStatus(value);
            setPage(1);
          }}
        />
        <Filter
          label={t('jobs.type')}
          placeholder={t('jobs.allTypes')}
          options={jobTypes}
          value={type}
          onChange={(value) => {
            setType(value);
            setPage(1);
          }}
        />
      </Group>
      <DataTable
        label={t('jobs.title')}
        columns={useColumns()}
        rows={data?.jobs}
        keyOf={(job) => job.job_id}
        onOpen={(job) => void navigate({ to: '/jobs/$jobId', params: { jobId: job.job_id } })}
        empty={
          <EmptyState title={t((status ?? type) ? 'kit.noResults' : 'jobs.none')}>{t('jobs.noneHelp')}</EmptyState>
        }
        paging={pagingOf(data, page, setPage)}
      />
    </Page>
  );
}

type FilterProps<Option extends string> = {
  label: string;
  placeholder: string;
  options: readonly Option[];
  value: Option | null;
  onChange(option: Option | null): void;
};

function Filter<Option extends string>({ label, placeholder, options, value, onChange }: FilterProps<Option>) {
  return (
    <Select
      aria-label={label}
      placeholder={placeholder}
      data={options.map((option) => ({ value: option, label: humanize(option) }))}
      value={value}
      onChange={(option) => onChange(option)}
      clearable
      w={{ base: '100%', xs: 180 }}
    />
  );
}

function useColumns(): Column<Job>[] {
  const t = useMessages();
  const { stores } = useStore();
  return [
    {
      head: t('jobs.job'),
      cell: (job) => (
        <>
          <RowLink to="/jobs/$jobId" params={{ jobId: job.job_id }}>
            {titleOf(job, t)}
          </RowLink>
          <Text className={job.file_name === undefined ? 'mono' : undefined} size="sm" c="dimmed">
            {job.file_name ?? job.job_id.slice(-12)}
          </Text>
        </>
      ),
    },
    {
      head: t('jobs.store'),
      cell: (job) => (
        <div style={{ minWidth: 120 }}>
          {stores.find((store) => store.vendor_id === job.vendor_id)?.name ?? t('jobs.severalStores')}
        </div>
      ),
    },
    { head: t('jobs.status'), cell: (job) => <JobState job={job} /> },
    { head: t('jobs.progress'), width: 160, isExtra: true, cell: (job) => <JobProgress job={job} size="sm" /> },
    { head: t('jobs.items'), isNumber: true, cell: (job) => formatNumber(job.progress.total) },
    {
      head: t('jobs.failed'),
      isNumber: true,
      cell: (job) => (
        <Text size="sm" c={job.progress.failed > 0 ? 'var(--mantine-color-error)' : 'dimmed'}>
          {formatNumber(job.progress.failed)}
        </Text>
      ),
    },
    { head: t('jobs.createdBy'), isExtra: true, cell: (job) => job.created_by?.name || '–' },
    { head: t('jobs.accepted'), cell: (job) => <Time at={job.created_at} /> },
  ];
}
