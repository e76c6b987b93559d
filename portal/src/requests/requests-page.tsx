import { statusClasses } from '@aisle/contract/requests';
import { Group, SegmentedControl, Switch, Text } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useChange, useRead } from '../api/hooks.ts';
import type { ResponseBody } from '../api/operations.ts';
import { usePermission } from '../api/session.tsx';
import { confirm } from '../kit/confirm.tsx';
import { type Column, DataTable, pagingOf } from '../kit/data-table.tsx';
import { EmptyState, NoResults } from '../kit/empty-state.tsx';
import { formatMilliseconds } from '../kit/format.ts';
import { ButtonLink, RowLink } from '../kit/link.tsx';
import { notifyDone } from '../kit/notify.ts';
import { Page } from '../kit/page.tsx';
import { SearchField } from '../kit/search-field.tsx';
import { Time } from '../kit/time.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { shortPath } from './describe.ts';
import { HttpStatus } from './http-status.tsx';
import { RequestDrawer } from './request-drawer.tsx';
import type { RequestSearch } from './search.ts';

type Request = ResponseBody<'listRequests'>['requests'][number];

export function RequestsPage() {
  const t = useMessages();
  const search = useSearch({ from: '/signed-in/integration/requests' });
  const navigate = useNavigate({ from: '/integration/requests' });
  const change = (part: Partial<RequestSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true });
  const { page = 1, status, term, open, at } = search;
  const { data } = useRead(
    'listRequests',
    { query: { page, page_size: 20, ...(status && { status }), ...(term && { search: term }) } },
    { refetchInterval: 3000 },
  );
  return (
    <Page title={t('requests.title')} about={t('requests.about')} actions={<RecordBodies />}>
      <Filters search={search} onChange={(part) => change({ ...part, page: undefined })} />
      <Dropped dropped={data?.dropped ?? 0} />
      <DataTable
        label={t('requests.title')}
        minWidth={340}
        columns={useColumns()}
        rows={data?.requests}
        keyOf={(request) => `${request.received_at} ${request.request_id}`}
        onOpen={(request) => change({ open: request.request_id, at: request.received_at })}
        empty={
          <NoRequests
            isFiltered={Boolean(status ?? term)}
            onClear={() => change({ status: undefined, term: undefined })}
          />
        }
        paging={pagingOf(data, page, (next) => change({ page: next }))}
      />
      {open && (
        <RequestDrawer requestId={open} receivedAt={at} onClose={() => change({ open: undefined, at: undefined })} />
      )}
    </Page>
  );
}

function RecordBodies() {
  const t = useMessages();
  const may = usePermission();
  const { data } = useRead('getSettings', {});
  const update = useChange('updateSettings', ['getSettings']);
  if (!data || !may('updateSettings')) return null;
  const set = (isOn: boolean) =>
    update.mutate(
      { body: { record_bodies: isOn } },
      { onSuccess: () => notifyDone(isOn ? t('requests.nowRecorded') : t('requests.notRecorded')) },
    );
  const ask = () =>
    confirm({
      title: t('requests.recordAsk'),
      text: t('requests.recordText'),
      action: t('requests.record'),
      isHarmless: true,
      onConfirm: () => set(true),
    });
  return (
    <Switch
      label={t('requests.record')}
      checked={data.record_bodies}
      disabled={update.isPending}
      onChange={(event) => (event.currentTarget.checked ? ask() : set(false))}
    />
  );
}

function Filters({ search, onChange }: { search: RequestSearch; onChange(part: Partial<RequestSearch>): void }) {
  const t = useMessages();
  return (
    <Group gap="sm">
      <SearchField
        label={t('requests.search')}
        placeholder={t('requests.searchPlaceholder')}
        term={search.term}
        onSearch={(term) => onChange({ term })}
      />
      <SegmentedControl
        aria-label={t('requests.status')}
        value={search.status ?? ''}
        onChange={(value) => onChange({ status: value || undefined })}
        data={[{ value: '', label: t('requests.all') }, ...statusClasses]}
      />
    </Group>
  );
}

function Dropped({ dropped }: { dropped: number }) {
  const t = useMessages();
  if (dropped === 0) return null;
  return (
    <Text size="sm" c="dimmed" role="status">
      {t('requests.dropped', { count: dropped })}
    </Text>
  );
}

function NoRequests({ isFiltered, onClear }: { isFiltered: boolean; onClear(): void }) {
  const t = useMessages();
  if (isFiltered) {
    return <NoResults onClear={onClear}>{t('requests.noMatch')}</NoResults>;
  }
  return (
    <EmptyState
      title={t('requests.none')}
      action={
        <ButtonLink to="/integration/tokens" variant="default">
          {t('requests.viewTokens')}
        </ButtonLink>
      }
    >
      {t('requests.noneHelp')}
    </EmptyState>
  );
}

function useColumns(): Column<Request>[] {
  const t = useMessages();
  return [
    {
      head: t('requests.request'),
      cell: ({ method, path, request_id, received_at, error_code, ignored_parameters, ignored_fields }) => (
        <>
          <RowLink
            from="/integration/requests"
            to="."
            search={(before) => ({ ...before, open: request_id, at: received_at })}
            className="mono"
            style={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}
          >
            <b>{method}</b> {shortPath(path)}
          </RowLink>
          {error_code && (
            <Text className="mono" c="dimmed">
              {error_code}
            </Text>
          )}
          {ignored_parameters.length + ignored_fields.length > 0 && (
            <Text size="xs" c="dimmed">
              {t('requests.ignored', { names: [...ignored_parameters, ...ignored_fields].join(', ') })}
            </Text>
          )}
        </>
      ),
    },
    {
      head: t('requests.status'),
      width: 1,
      cell: ({ status, aborted }) => <HttpStatus status={status} isAborted={aborted} />,
    },
    {
      head: t('requests.duration'),
      width: 1,
      isNumber: true,
      isExtra: true,
      cell: ({ duration_ms }) => formatMilliseconds(duration_ms),
    },
    { head: t('requests.token'), isExtra: true, cell: ({ caller }) => caller.name },
    { head: t('requests.time'), width: 1, cell: ({ received_at }) => <Time at={received_at} /> },
  ];
}
