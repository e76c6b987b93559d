import { Button, Group } from '@mantine/core';
import { useMessages } from '../messages/use-messages.ts';
import { useChangeStores } from './use-change-stores.ts';

export function OpenNow({ vendorId }: { vendorId: string }) {
  const t = useMessages();
  const { change, isPending } = useChangeStores();
  return (
    <Group flex="none">
      <Button onClick={() => change({ vendor_ids: [vendorId], status: 'OPEN' })} loading={isPending}>
        {t('outlets.openNow')}
      </Button>
    </Group>
  );
}
