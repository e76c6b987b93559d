import { statusClasses } from '@aisle/contract/requests';
import { Group, SegmentedControl, Switch, Text } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useChange, useRead } from '../api/hooks.ts';
import type { ResponseBody } from '../api/operations.ts';
import { usePermission } from '../api/session.tsx';
import { confirm } from '../kit/confirm.tsx';
import { type Column, DataTable, pagingOf } from '../kit/data-table.tsx';
import { EmptyState, NoResults } from '../kit/empty-state.tsx';
import { formatNumber } from '../kit/format.ts';
import { ButtonLink, RowLink } from '../kit/link.tsx';
import { notifyDone } from '../kit/notify.ts';
import { Page } from '../kit/page.tsx';
import { SearchField } from '../kit/search-field.tsx';
import { Time } from '../kit/time.tsx';
import { duration, shortPath } from './describe.ts';
import { HttpStatus } from './http-status.tsx';
import { RequestDrawer } from './request-drawer.tsx';
import type { RequestSearch } from './search.ts';

type Request = ResponseBody<'listRequests'>['requests'][number];

export function RequestsPage() {
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
    <Page
      title="Requests"
      about="Requests that your systems sent to the API, with their results. Kept for 7 days. This page updates automatically."
      actions={<RecordBodies />}
    >
      <Filters search={search} onChange={(part) => change({ ...part, page: undefined })} />
      <Dropped dropped={data?.dropped ?? 0} />
      <DataTable
        label="Requests"
        minWidth={340}
        columns={columns}
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
  const may = usePermission();
  const { data } = useRead('getSettings', {});
  const update = useChange('updateSettings', ['getSettings']);
  if (!data || !may('updateSettings')) return null;
  const set = (isOn: boolean) =>
    update.mutate(
      { body: { record_bodies: isOn } },
      { onSuccess: () => notifyDone(isOn ? 'Bodies are now recorded.' : 'Bodies are no longer recorded.') },
    );
  const ask = () =>
    confirm({
      title: 'Record bodies?',
      text: 'New requests are stored with their bodies, up to 16 KiB each. Passwords, secrets and tokens are removed. Every user of your chain can see the bodies.',
      action: 'Record bodies',
      isHarmless: true,
      onConfirm: () => set(true),
    });
  return (
    <Switch
      label="Record bodies"
      checked={data.record_bodies}
      disabled={update.isPending}
      onChange={(event) => (event.currentTarget.checked ? ask() : set(false))}
    />
  );
}

function Filters({ search, onChange }: { search: RequestSearch; onChange(part: Partial<RequestSearch>): void }) {
  return (
    <Group gap="sm">
      <SearchField
        label="Search requests"
        placeholder="Request id or order id"
        term={search.term}
        onSearch={(term) => onChange({ term })}
      />
      <SegmentedControl
        aria-label="Status"
        value={search.status ?? ''}
        onChange={(value) => onChange({ status: value || undefined })}
        data={[{ value: '', label: 'All' }, ...statusClasses]}
      />
    </Group>
  );
}

function Dropped({ dropped }: { dropped: number }) {
  if (dropped === 0) return null;
  return (
    <Text size="sm" c="dimmed" role="status">
      {formatNumber(dropped)} {dropped === 1 ? 'request' : 'requests'} in the last 7 days could not be recorded because
      too many arrived at once.
    </Text>
  );
}

function NoRequests({ isFiltered, onClear }: { isFiltered: boolean; onClear(): void }) {
  if (isFiltered) {
    return <NoResults onClear={onClear}>No requests match your search.</NoResults>;
  }
  return (
    <EmptyState
      title="No requests yet"
      action={
        <ButtonLink to="/integration/tokens" variant="default">
          View API tokens
        </ButtonLink>
      }
    >
      Requests that use your API tokens or client credentials appear here within two seconds. Requests from this portal
      are not included.
    </EmptyState>
  );
}

const columns: Column<Request>[] = [
  {
    head: 'Request',
    cell: ({ method, path, request_id, received_at, error_code, ignored_parameters, ignored_fields }) => (
      <>
        <RowLink
          from="/integration/requests"
          to="."
          search={(before) => ({ ...before, open: request_id, at: received_at })}
          className="mono"
          style={{ whiteSpace: 'normal', wordBreak: 'break-all' }}
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
            Ignored: {[...ignored_parameters, ...ignored_fields].join(', ')}
          </Text>
        )}
      </>
    ),
  },
  { head: 'Status', width: 1, cell: ({ status, aborted }) => <HttpStatus status={status} isAborted={aborted} /> },
  {
    head: 'Duration',
    width: 1,
    isNumber: true,
    isExtra: true,
    cell: ({ duration_ms }) => duration(duration_ms),
  },
  { head: 'Token', isExtra: true, cell: ({ caller }) => caller.name },
  { head: 'Time', width: 1, cell: ({ received_at }) => <Time at={received_at} /> },
];
