import { closedReasons } from '@aisle/contract/outlets';
import { Button, Group, Select, Skeleton, Stack, Text, Title } from '@mantine/core';
import { DateTimePicker } from '@mantine/dates';
import { useState } from 'react';
import { useChange, useRead } from '../api/hooks.ts';
import type { ResponseBody, Body } from '../api/operations.ts';
import { usePermission } from '../api/session.tsx';
import { formatDateTime, humanize } from '../kit/format.ts';
import { notifyDone } from '../kit/notify.ts';
import { State } from '../kit/state.tsx';

type Input = Body<'putOutletStatus'>;
type Reason = NonNullable<Input['closed_reason']>;

/** Whether the store accepts orders, and the controls to open and close it. */
export function OutletControl({ vendorId }: { vendorId: string }) {
  const { data } = useRead('getOutletStatus', { params: { vendor_id: vendorId } }, { refetchInterval: 10_000 });
  const may = usePermission();
  if (!data || data.vendor_id !== vendorId) return <Skeleton height={80} />;
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2}>Opening status</Title>
        <State value={data.status} />
      </Group>
      <Text size="sm">{describeStatus(data)}</Text>
      {may('putOutletStatus') && data.status !== 'CLOSED' && (
        <OpeningForm vendorId={vendorId} isOpen={data.status === 'OPEN'} />
      )}
    </Stack>
  );
}

function OpeningForm({ vendorId, isOpen }: { vendorId: string; isOpen: boolean }) {
  const put = useChange('putOutletStatus', ['getOutletStatus']);
  const [reason, setReason] = useState<Reason>('OTHER');
  const [until, setUntil] = useState<string | null>(null);
  const send = (body: Input) =>
    put.mutate(
      { params: { vendor_id: vendorId }, body },
      { onSuccess: ({ status }) => notifyDone(`Store is now ${humanize(status).toLowerCase()}.`) },
    );
  if (!isOpen) {
    return (
      <Group>
        <Button onClick={() => send({ status: 'OPEN' })} loading={put.isPending}>
          Open now
        </Button>
      </Group>
    );
  }
  const close = () =>
    send(
      until
        ? { status: 'CLOSED_UNTIL', closed_reason: reason, closed_until: new Date(until).toISOString() }
        : { status: 'CLOSED_TODAY', closed_reason: reason },
    );
  return (
    <Group align="flex-end">
      <Select
        label="Reason"
        data={closedReasons.map((value) => ({ value, label: humanize(value) }))}
        value={reason}
        onChange={(value) => value && setReason(value)}
        allowDeselect={false}
      />
      <DateTimePicker
        label="Until"
        placeholder="End of day"
        value={until}
        onChange={setUntil}
        minDate={new Date()}
        clearable
        w={200}
      />
      <Button variant="default" onClick={close} loading={put.isPending}>
        Close
      </Button>
    </Group>
  );
}

function describeStatus({ status, closed_reason, closed_until }: ResponseBody<'getOutletStatus'>): string {
  if (status === 'OPEN') return 'The store is accepting orders.';
  if (status === 'CLOSED') return 'Closed by the platform. Contact your platform administrator to reopen it.';
  const why = closed_reason ? ` (${humanize(closed_reason).toLowerCase()})` : '';
  return `The store is not accepting orders${why}${closed_until ? ` until ${formatDateTime(closed_until)}` : ''}.`;
}
