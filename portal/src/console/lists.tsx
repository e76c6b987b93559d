import { Button, Group, Text } from '@mantine/core';
import { confirm } from '../kit/confirm.tsx';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { formatNumber, humanize } from '../kit/format.ts';
import { notifyDone } from '../kit/notify.ts';
import { Page } from '../kit/page.tsx';
import { Scheduled, State } from '../kit/state.tsx';
import { Time } from '../kit/time.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { type PlatformBody, useAllowed, usePlatform, usePlatformChange } from './api.ts';
import { ConsoleButtonLink, ConsoleLink, ConsoleRowLink, useFilters } from './links.tsx';

const live = { refetchInterval: 10_000 };

/** The lists behind the numbers of the overview. */
export function OpenOrders() {
  const t = useMessages();
  const { status, is_late: late, chain_id, vendor_id } = useFilters();
  const filter = {
    ...(status && { status: status as 'RECEIVED' }),
    ...(late && { is_late: late === 'true' }),
    ...(chain_id && { chain_id }),
    ...(vendor_id && { vendor_id }),
  };
  const { data } = usePlatform('platformListOpenOrders', { query: filter }, live);
  const columns: Column<PlatformBody<'platformListOpenOrders'>['orders'][number]>[] = [
    {
      head: t('console.order'),
      cell: ({ order_id, order_code }) => (
        <ConsoleRowLink to="/orders/$orderId" params={{ orderId: order_id }}>
          {order_code}
        </ConsoleRowLink>
      ),
    },
    { head: t('console.chain'), cell: (row) => <ChainLink {...row} /> },
    { head: t('console.store'), cell: ({ vendor_name }) => vendor_name },
    {
      head: t('console.status'),
      cell: ({ status: own, is_late }) => (
        <Group gap="xs">
          <State value={own} />
          {is_late && <State value="LATE" color="red" />}
        </Group>
      ),
    },
    { head: t('console.placed'), cell: ({ created_at }) => <Time at={created_at} /> },
    {
      head: t('console.promised'),
      cell: ({ promised_for }) => <Time at={promised_for} never={t('console.asap')} />,
      isExtra: true,
    },
  ];
  const title = late === 'true' ? t('console.lateOrders') : t('console.openOrders');
  return (
    <Page
      title={[status ? `${title}: ${humanize(status)}` : title, vendor_id && data?.orders[0]?.vendor_name]
        .filter(Boolean)
        .join(' · ')}
      about={t('console.openOrdersAbout')}
      actions={
        (status || late || chain_id) && (
          <ConsoleButtonLink to="/orders" variant="default">
            {t('console.showAll')}
          </ConsoleButtonLink>
        )
      }
    >
      <DataTable
        label={title}
        columns={columns}
        rows={data?.orders}
        keyOf={(row) => row.order_id}
        empty={<EmptyState title={t('console.none')} />}
      />
    </Page>
  );
}

export function ClosedStores() {
  const t = useMessages();
  const { data } = usePlatform('platformListClosedStores', {}, live);
  return (
    <Page title={t('console.closedStores')} about={t('console.closedStoresAbout')}>
      <DataTable
        label={t('console.closedStores')}
        columns={[
          { head: t('console.store'), cell: ({ vendor_name }) => vendor_name },
          { head: t('console.chain'), cell: (row) => <ChainLink {...row} /> },
          { head: t('console.reason'), cell: ({ closed_reason }) => humanize(closed_reason) },
          { head: t('console.since'), cell: ({ closed_since }) => <Time at={closed_since} /> },
          {
            head: t('console.until'),
            cell: ({ closed_until }) => <Time at={closed_until} never={t('console.untilOpened')} />,
          },
        ]}
        rows={data?.stores}
        keyOf={(row) => `${row.chain_id} ${row.vendor_id}`}
        empty={<EmptyState title={t('console.allOpen')} />}
      />
    </Page>
  );
}

export function FailingEndpoints() {
  const t = useMessages();
  const { data } = usePlatform('platformListFailingEndpoints', {}, live);
  return (
    <Page title={t('console.failingEndpoints')} about={t('console.failingEndpointsAbout')}>
      <DataTable
        label={t('console.failingEndpoints')}
        columns={[
          { head: t('console.chain'), cell: (row) => <ChainLink {...row} /> },
          { head: t('console.store'), cell: ({ vendor_id }) => vendor_id ?? t('console.allStores') },
          { head: t('console.topic'), cell: ({ topic }) => humanize(topic) },
          {
            head: t('console.url'),
            cell: ({ url }) => (
              <Text size="sm" className="mono" style={{ overflowWrap: 'anywhere' }}>
                {url}
              </Text>
            ),
          },
          {
            head: t('console.status'),
            cell: ({ disabled_at }) => <State value={disabled_at ? 'DISABLED' : 'FAILING'} />,
          },
          {
            head: t('console.since'),
            cell: ({ failing_since, disabled_at }) => <Time at={failing_since ?? disabled_at} />,
          },
        ]}
        rows={data?.endpoints}
        keyOf={(row) => `${row.chain_id} ${row.vendor_id} ${row.topic}`}
        empty={<EmptyState title={t('console.noFailingEndpoints')} />}
      />
    </Page>
  );
}

export function RunningJobs() {
  const t = useMessages();
  const { data } = usePlatform('platformListRunningJobs', {}, live);
  return (
    <Page title={t('console.runningJobs')} about={t('console.runningJobsAbout')}>
      <DataTable
        label={t('console.runningJobs')}
        columns={[
          { head: t('console.job'), cell: ({ type }) => humanize(type) },
          { head: t('console.chain'), cell: (row) => <ChainLink {...row} /> },
          {
            head: t('console.status'),
            cell: ({ status, apply_at }) =>
              apply_at === null ? <State value={status} /> : <Scheduled at={apply_at} />,
          },
          {
            head: t('console.progress'),
            cell: ({ processed, total }) => `${formatNumber(processed)} / ${formatNumber(total)}`,
          },
          { head: t('console.accepted'), cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
        rows={data?.jobs}
        keyOf={(row) => row.job_id}
        empty={<EmptyState title={t('console.noJobs')} />}
      />
    </Page>
  );
}

export function DeadTasks() {
  const t = useMessages();
  const { data } = usePlatform('platformListDeadTasks', {}, live);
  return (
    <Page title={t('console.deadTasks')} about={t('console.deadTasksAbout')}>
      <DataTable
        label={t('console.deadTasks')}
        columns={[
          { head: t('console.task'), cell: ({ kind }) => <span className="mono">{kind}</span> },
          { head: t('console.chain'), cell: ({ chain_name }) => chain_name },
          { head: t('console.error'), cell: ({ last_error }) => <Text size="sm">{last_error}</Text> },
          { head: t('console.attempts'), cell: ({ attempts }) => formatNumber(attempts), isNumber: true },
          { head: t('console.failed'), cell: ({ died_at }) => <Time at={died_at} /> },
          { head: '', cell: (task) => <TaskActions taskId={task.task_id} canRetry={task.job_id === null} /> },
        ]}
        rows={data?.tasks}
        keyOf={(row) => row.task_id}
        empty={<EmptyState title={t('console.noDeadTasks')} />}
      />
    </Page>
  );
}

function TaskActions({ taskId, canRetry }: { taskId: string; canRetry: boolean }) {
  const t = useMessages();
  const isAllowed = useAllowed();
  const retry = usePlatformChange('platformRetryDeadTask', ['platformListDeadTasks', 'platformGetOverview']);
  const discard = usePlatformChange('platformDiscardDeadTask', ['platformListDeadTasks', 'platformGetOverview']);
  if (!isAllowed('platformRetryDeadTask')) return null;
  const params = { task_id: taskId };
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      {canRetry && (
        <Button
          size="xs"
          variant="default"
          loading={retry.isPending}
          onClick={() => retry.mutate({ params }, { onSuccess: () => notifyDone(t('console.retried')) })}
        >
          {t('console.retry')}
        </Button>
      )}
      <Button
        size="xs"
        variant="subtle"
        color="red"
        loading={discard.isPending}
        onClick={() =>
          confirm({
            title: t('console.discardTitle'),
            text: t('console.discardText'),
            action: t('console.discard'),
            onConfirm: () => discard.mutate({ params }),
          })
        }
      >
        {t('console.discard')}
      </Button>
    </Group>
  );
}

export function ChainLink({ chain_id, chain_name }: { chain_id: string; chain_name: string }) {
  return (
    <ConsoleLink to="/chains/$chainId" params={{ chainId: chain_id }} size="sm">
      {chain_name}
    </ConsoleLink>
  );
}
