import { Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useRead } from '../api/hooks.ts';
import { usePermission } from '../api/session.tsx';
import { useStore } from '../api/store.tsx';
import { formatDateTime, humanize } from '../kit/format.ts';
import { State } from '../kit/state.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { ClosingForm } from './change-stores.tsx';
import { OpenNow } from './open-now.tsx';
import { stateOf } from './status.tsx';
import type { OutletStatus } from './use-statuses.ts';

/** Whether the store accepts orders, and the controls to open and close it. */
export function OutletControl({ vendorId }: { vendorId: string }) {
  const t = useMessages();
  const { data } = useRead('getOutletStatus', { params: { vendor_id: vendorId } }, { refetchInterval: 10_000 });
  const may = usePermission();
  if (!data || data.vendor_id !== vendorId) return <Skeleton height={80} />;
  const isChangeable = may('putOutletStatuses') && data.status !== 'CLOSED';
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2}>{t('outlets.title')}</Title>
        <State value={stateOf(data)} />
      </Group>
      <StatusText outlet={data} />
      {isChangeable &&
        (data.status === 'OPEN' ? <ClosingForm vendorIds={[vendorId]} /> : <OpenNow vendorId={vendorId} />)}
    </Stack>
  );
}

function StatusText({ outlet: { vendor_id: id, status, closed_reason, closed_until } }: { outlet: OutletStatus }) {
  const t = useMessages();
  const { stores } = useStore();
  const zone = stores.find((store) => store.vendor_id === id)?.timezone;
  const reason = closed_reason ? humanize(closed_reason) : '–';
  if (status === 'OPEN') return <Text size="sm">{t('outlets.isOpen')}</Text>;
  if (status === 'CLOSED') return <Text size="sm">{t('outlets.isClosedByPlatform')}</Text>;
  return (
    <Text size="sm">
      {closed_until
        ? t('outlets.isClosedUntil', { reason, time: formatDateTime(closed_until, zone) })
        : t('outlets.isClosedUntilReopened', { reason })}
    </Text>
  );
}
