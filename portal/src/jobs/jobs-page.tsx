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
import { State } from '../kit/state.tsx';
import { Time } from '../kit/time.tsx';
import { useStore } from '../api/store.tsx';
import { JobProgress } from './job-progress.tsx';
import { hasEnded, type Job } from './use-job.ts';

type Status = (typeof jobStatuses)[number];
type Kind = (typeof jobTypes)[number];

export function JobsPage() {
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
    <Page
      title="Jobs"
      about="Bulk updates, product creation and exports run in the background, in the order they were accepted. This page updates automatically."
    >
      <Group gap="sm">
        <Filter
          label="Status"
          options={jobStatuses}
          value={status}
          onChange={(value) => {
            setStatus(value);
            setPage(1);
          }}
        />
        <Filter
          label="Type"
          options={jobTypes}
          value={type}
          onChange={(value) => {
            setType(value);
            setPage(1);
          }}
        />
      </Group>
      <DataTable
        label="Jobs"
        columns={useColumns()}
        rows={data?.jobs}
        keyOf={(job) => job.job_id}
        onOpen={(job) => void navigate({ to: '/jobs/$jobId', params: { jobId: job.job_id } })}
        empty={
          <EmptyState title={(status ?? type) ? 'No results' : 'No jobs yet'}>
            Upload a file, export the catalog, or send several products in one request.
          </EmptyState>
        }
        paging={pagingOf(data, page, setPage)}
      />
    </Page>
  );
}

type FilterProps<Option extends string> = {
  label: string;
  options: readonly Option[];
  value: Option | null;
  onChange(option: Option | null): void;
};

function Filter<Option extends string>({ label, options, value, onChange }: FilterProps<Option>) {
  return (
    <Select
      aria-label={label}
      placeholder={label === 'Status' ? 'All statuses' : 'All types'}
      data={options.map((option) => ({ value: option, label: humanize(option) }))}
      value={value}
      onChange={(option) => onChange(option)}
      clearable
      w={180}
    />
  );
}

function useColumns(): Column<Job>[] {
  const { stores } = useStore();
  return [
    {
      head: 'Job',
      cell: (job) => (
        <>
          <RowLink to="/jobs/$jobId" params={{ jobId: job.job_id }}>
            {humanize(job.job_type)}
          </RowLink>
          <Text className="mono" c="dimmed">
            {job.job_id.slice(-12)}
          </Text>
        </>
      ),
    },
    {
      head: 'Store',
      cell: (job) => stores.find((store) => store.vendor_id === job.vendor_id)?.name ?? 'Several stores',
    },
    { head: 'Status', cell: (job) => <State value={job.job_status} /> },
    { head: 'Progress', width: 160, isExtra: true, cell: (job) => <JobProgress job={job} size="sm" /> },
    { head: 'Items', isNumber: true, cell: (job) => formatNumber(job.progress.total) },
    {
      head: 'Failed',
      isNumber: true,
      cell: (job) => (
        <Text size="sm" c={job.progress.failed > 0 ? 'var(--mantine-color-error)' : 'dimmed'}>
          {formatNumber(job.progress.failed)}
        </Text>
      ),
    },
    { head: 'Accepted', cell: (job) => <Time at={job.created_at} /> },
  ];
}
