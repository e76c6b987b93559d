import { Stack, Text } from '@mantine/core';
import { useStore } from '../api/store.tsx';
import { formatStoreTime, humanize } from '../kit/format.ts';
import { State } from '../kit/state.tsx';
import { useMessages } from '../messages/use-messages.ts';
import type { OutletStatus } from './use-statuses.ts';

/** A store's status in a table or a list, with the time when it reopens. */
export function StatusOf({ outlet }: { outlet: OutletStatus | undefined }) {
  const describe = useDescribeEnd();
  if (!outlet) return '–';
  const end = describe(outlet);
  return (
    <Stack gap={0} align="flex-start">
      <State value={stateOf(outlet)} />
      {end && (
        <Text size="xs" c="dimmed">
          {end}
        </Text>
      )}
    </Stack>
  );
}

/** A store that the chain has closed for some time looks the same, whatever ends it. */
export function stateOf({ status }: Pick<OutletStatus, 'status'>): string {
  return status === 'CLOSED_TODAY' || status === 'CLOSED_UNTIL' ? 'PAUSED' : status;
}

/** Describes until when, in the store's time zone, and why a store is closed. Empty if it is open. */
export function useDescribeEnd(): (outlet: OutletStatus) => string {
  const t = useMessages();
  const { stores } = useStore();
  return ({ vendor_id: id, status, closed_reason, closed_until }) => {
    if (status === 'OPEN') return '';
    if (status === 'CLOSED') return t('outlets.byPlatform');
    const zone = stores.find((store) => store.vendor_id === id)?.timezone ?? 'UTC';
    const end = closed_until
      ? t('outlets.untilTime', { time: formatStoreTime(closed_until, zone) })
      : t('outlets.untilReopened');
    return closed_reason && closed_reason !== 'OTHER' ? `${end}\u00a0· ${humanize(closed_reason)}` : end;
  };
}
