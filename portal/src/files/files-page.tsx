import { fileStates } from '@aisle/contract/files';
import { Group, Select, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRead } from '../api/hooks.ts';
import { usePermission } from '../api/session.tsx';
import { useStore } from '../api/store.tsx';
import { type Column, DataTable, pagingOf } from '../kit/data-table.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { formatBytes } from '../kit/format.ts';
import { ButtonLink, InlineLink, RowLink } from '../kit/link.tsx';
import { Page } from '../kit/page.tsx';
import { State } from '../kit/state.tsx';
import { Time } from '../kit/time.tsx';
import { FailedRowsIcon } from './failed-rows.tsx';
import { channelLabels, describeFolder, describeProblem, isOpen, statusOf, type UploadedFile } from './labels.ts';
import type { FileSearch } from './search.ts';

export function FilesPage() {
  const { page = 1, state } = useSearch({ from: '/signed-in/files' });
  const navigate = useNavigate({ from: '/files' });
  const change = (part: Partial<FileSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true });
  const { data } = useRead(
    'listFiles',
    { query: { page, page_size: 20, ...(state && { state }) } },
    { refetchInterval: ({ state: query }) => (query.data?.files.some(isOpen) ? 1000 : 10_000) },
  );
  return (
    <Page
      title="Files"
      about={
        <>
          CSV files that were uploaded here, by <InlineLink to="/integration/sftp">SFTP</InlineLink> or through the API.
          This page updates automatically.
        </>
      }
      actions={<UploadButton />}
    >
      <Group>
        <Select
          aria-label="State"
          placeholder="All files"
          data={fileStates.map((value) => ({ value, label: stateLabels[value] }))}
          value={state ?? null}
          onChange={(value) => change({ state: value ?? undefined, page: undefined })}
          clearable
          w={240}
        />
      </Group>
      <DataTable
        label="Files"
        columns={useColumns()}
        rows={data?.files}
        keyOf={(file) => file.file_id}
        onOpen={(file) => void navigate({ to: '/files/$fileId', params: { fileId: file.file_id } })}
        empty={
          <EmptyState title={state ? 'No results' : 'No files yet'} action={!state && <UploadButton />}>
            {state ? 'No files in this state.' : 'Upload a file with prices and stock, new products or promotions.'}
          </EmptyState>
        }
        paging={pagingOf(data, page, (next) => change({ page: next }))}
        minWidth={680}
      />
    </Page>
  );
}

const stateLabels: Record<UploadedFile['state'], string> = {
  UNFINISHED: 'Unfinished: still uploading',
  ACCEPTED: 'Accepted',
};

function UploadButton() {
  const may = usePermission();
  if (!may('uploadFile')) return null;
  return (
    <ButtonLink to="/files/upload" leftSection={<IconUpload size={16} />}>
      Upload file
    </ButtonLink>
  );
}

/** A name can be 200 characters long and contain no spaces. */
const longName = { whiteSpace: 'normal', overflowWrap: 'anywhere' } as const;

function useColumns(): Column<UploadedFile>[] {
  const { stores } = useStore();
  return [
    {
      head: 'File',
      cell: ({ file_id, name, folder }) => (
        <>
          <RowLink to="/files/$fileId" params={{ fileId: file_id }} style={longName}>
            {name}
          </RowLink>
          <Text size="sm" c="dimmed">
            {describeFolder(folder, stores)}
          </Text>
        </>
      ),
    },
    { head: 'Result', cell: (file) => <Result file={file} /> },
    {
      head: 'Uploaded by',
      cell: ({ uploaded_by, channel, address }) => (
        <>
          <Text size="sm">{uploaded_by}</Text>
          <Text size="sm" c="dimmed" className="nowrap">
            {channelLabels[channel]} · {address}
          </Text>
        </>
      ),
    },
    { head: 'Size', isNumber: true, cell: ({ size }) => formatBytes(size), isExtra: true },
    { head: 'Received', cell: ({ received_at }) => <Time at={received_at} /> },
    { head: '', width: 50, cell: (file) => <FailedRowsIcon file={file} /> },
  ];
}

function Result({ file }: { file: UploadedFile }) {
  const problem = describeProblem(file);
  return (
    <>
      <State value={statusOf(file)} />
      {problem && (
        <Text size="sm" c="var(--mantine-color-error)" lineClamp={2} maw={320} title={problem}>
          {problem}
        </Text>
      )}
    </>
  );
}
