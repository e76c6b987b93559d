import { jobStatuses, jobTypes } from '@aisle/contract/catalog';
import { Group, Select, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../api/hooks.ts';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { count, words } from '../kit/format.ts';
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
      about="Large updates, creations and exports run in the background, in the order in which they were accepted. This page keeps itself current."
    >
      <Group gap="sm">
        <Filter
          label="State"
          words={jobStatuses}
          value={status}
          onChange={(value) => {
            setStatus(value);
            setPage(1);
          }}
        />
        <Filter
          label="Kind"
          words={jobTypes}
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
          <EmptyState title={(status ?? type) ? 'No such jobs' : 'No jobs yet'}>
            Upload a file, export the assortment, or send more than one product in a request.
          </EmptyState>
        }
        paging={
          data && { page, pageSize: 20, totalPages: data.total_pages, totalItems: data.total_items, onPage: setPage }
        }
      />
    </Page>
  );
}

type FilterProps<Word extends string> = {
  label: string;
  words: readonly Word[];
  value: Word | null;
  onChange(word: Word | null): void;
};

function Filter<Word extends string>({ label, words: list, value, onChange }: FilterProps<Word>) {
  return (
    <Select
      aria-label={label}
      placeholder={`All ${label.toLowerCase()}s`}
      data={list.map((word) => ({ value: word, label: words(word) }))}
      value={value}
      onChange={(word) => onChange(word)}
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
            {words(job.job_type)}
          </RowLink>
          <Text className="mono" c="dimmed">
            {job.job_id.slice(-12)}
          </Text>
        </>
      ),
    },
    { head: 'Store', cell: (job) => stores.find((one) => one.vendor_id === job.vendor_id)?.name ?? 'Several' },
    { head: 'State', cell: (job) => <State value={job.job_status} /> },
    { head: 'Progress', width: 160, isExtra: true, cell: (job) => <JobProgress job={job} size="sm" /> },
    { head: 'Items', isNumber: true, cell: (job) => count(job.progress.total) },
    {
      head: 'Failed',
      isNumber: true,
      cell: (job) => (
        <Text size="sm" c={job.progress.failed > 0 ? 'var(--mantine-color-error)' : 'dimmed'}>
          {count(job.progress.failed)}
        </Text>
      ),
    },
    { head: 'Accepted', cell: (job) => <Time at={job.created_at} /> },
  ];
}
