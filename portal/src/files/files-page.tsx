import { fileStates } from '@aisle/contract/files';
import { Button, Group, Select, Text } from '@mantine/core';
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
import { Scheduled, State } from '../kit/state.tsx';
import { Time } from '../kit/time.tsx';
import { Rich } from '../messages/rich.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { FailedRowsIcon } from './failed-rows.tsx';
import { describeFolder, describeProblem, isOpen, statusOf, type UploadedFile } from './labels.ts';
import type { FileSearch } from './search.ts';

export function FilesPage() {
  const t = useMessages();
  const { store } = useStore();
  const { page = 1, state, all } = useSearch({ from: '/signed-in/files' });
  const navigate = useNavigate({ from: '/files' });
  const change = (part: Partial<FileSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true });
  const { data } = useRead(
    'listFiles',
    { query: { page, page_size: 20, ...(state && { state }), ...(!all && { vendor_id: store.vendor_id }) } },
    { refetchInterval: ({ state: query }) => (query.data?.files.some(isOpen) ? 1000 : 10_000) },
  );
  const sftp = <InlineLink to="/integration/sftp">{t('files.sftp')}</InlineLink>;
  return (
    <Page title={t('files.title')} about={<Rich message="files.about" values={{ sftp }} />} actions={<UploadButton />}>
      <Filters search={{ state, all }} change={change} />
      <DataTable
        label={t('files.title')}
        columns={useColumns()}
        rows={data?.files}
        keyOf={(file) => file.file_id}
        onOpen={(file) => void navigate({ to: '/files/$fileId', params: { fileId: file.file_id } })}
        empty={<NoFiles search={{ state, all }} change={change} />}
        paging={pagingOf(data, page, (next) => change({ page: next }))}
        minWidth={680}
      />
    </Page>
  );
}

type FilterProps = { search: FileSearch; change(part: Partial<FileSearch>): void };

function Filters({ search: { state, all }, change }: FilterProps) {
  const t = useMessages();
  const { store } = useStore();
  const stores = [
    { value: 'store', label: store.name },
    { value: 'all', label: t('files.allStores') },
  ];
  return (
    <Group>
      <Select
        aria-label={t('files.stores')}
        data={stores}
        value={all ? 'all' : 'store'}
        onChange={(value) => change({ all: value === 'all' ? true : undefined, page: undefined })}
        allowDeselect={false}
        attributes={{ input: { dir: 'auto' } }}
        w={{ base: '100%', xs: 320 }}
      />
      <Select
        aria-label={t('files.state')}
        placeholder={t('files.allStates')}
        data={fileStates.map((value) => ({ value, label: t(`files.state.${value}`) }))}
        value={state ?? null}
        onChange={(value) => change({ state: value ?? undefined, page: undefined })}
        clearable
        w={{ base: '100%', xs: 240 }}
      />
    </Group>
  );
}

function NoFiles({ search: { state, all }, change }: FilterProps) {
  const t = useMessages();
  const { store, stores } = useStore();
  if (state) return <EmptyState title={t('files.noResults')}>{t('files.noneInState')}</EmptyState>;
  const isFiltered = !all && stores.length > 1;
  const showAll = (
    <Button variant="default" onClick={() => change({ all: true })}>
      {t('files.showAll')}
    </Button>
  );
  return (
    <EmptyState
      title={isFiltered ? t('files.noneForStore', { store: store.name }) : t('files.none')}
      action={
        <Group gap="xs" justify="center">
          {isFiltered && showAll}
          <UploadButton />
        </Group>
      }
    >
      {t('files.noneHelp')}
    </EmptyState>
  );
}

function UploadButton() {
  const t = useMessages();
  const may = usePermission();
  if (!may('uploadFile')) return null;
  return (
    <ButtonLink to="/files/upload" leftSection={<IconUpload size={16} />}>
      {t('files.upload')}
    </ButtonLink>
  );
}

function useColumns(): Column<UploadedFile>[] {
  const t = useMessages();
  return [
    { head: t('files.file'), cell: (file) => <Name file={file} /> },
    { head: t('files.result'), cell: (file) => <Result file={file} /> },
    {
      head: t('files.uploadedBy'),
      cell: ({ uploaded_by, channel, address }) => (
        <>
          <Text size="sm">{uploaded_by}</Text>
          <Text size="sm" c="dimmed" className="nowrap">
            {t(`files.channel.${channel}`)} · {address}
          </Text>
        </>
      ),
    },
    { head: t('files.size'), isNumber: true, cell: ({ size }) => formatBytes(size), isExtra: true },
    { head: t('files.received'), cell: ({ received_at }) => <Time at={received_at} /> },
    { head: '', width: 50, cell: (file) => <FailedRowsIcon file={file} /> },
  ];
}

/** A name can be 200 characters long and contain no spaces. */
const longName = { whiteSpace: 'normal', overflowWrap: 'anywhere' } as const;

function Name({ file: { file_id, name, folder } }: { file: UploadedFile }) {
  const t = useMessages();
  const { stores } = useStore();
  return (
    <div style={{ minWidth: 140 }}>
      <RowLink to="/files/$fileId" params={{ fileId: file_id }} style={longName}>
        <bdi>{name}</bdi>
      </RowLink>
      <Text size="sm" c="dimmed">
        {describeFolder(t, folder, stores)}
      </Text>
    </div>
  );
}

function Result({ file }: { file: UploadedFile }) {
  const problem = describeProblem(useMessages(), file);
  const status = statusOf(file);
  const applyAt = file.jobs[0]?.apply_at;
  return (
    <>
      {status === 'SCHEDULED' && applyAt !== undefined ? <Scheduled at={applyAt} /> : <State value={status} />}
      {problem && (
        <Text
          size="sm"
          c="var(--mantine-color-error)"
          lineClamp={6}
          maw={320}
          title={problem}
          dir="auto"
          className="own-direction"
        >
          {problem}
        </Text>
      )}
    </>
  );
}
