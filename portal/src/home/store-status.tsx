import { Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { usePermission } from '../api/session.tsx';
import { useStore } from '../api/store.tsx';
import { TextLink } from '../kit/link.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { OpenNow } from '../outlets/open-now.tsx';
import { StatusOf } from '../outlets/status.tsx';
import { canChange, isOpen, useStatuses } from '../outlets/use-statuses.ts';

/** Whether the stores accept orders. Closed stores are listed, the selected store first. */
export function StoreStatus() {
  const t = useMessages();
  const may = usePermission();
  const { store, stores } = useStore();
  const statuses = useStatuses();
  if (!statuses) return <Skeleton height={110} />;
  const closed = stores.filter(({ vendor_id }) => statuses.has(vendor_id) && !isOpen(statuses.get(vendor_id)));
  const shown = [store, ...closed.filter(({ vendor_id }) => vendor_id !== store.vendor_id)].slice(0, maxShown);
  return (
    <Card>
      <Group justify="space-between" mb="xs">
        <Title order={2}>{t('home.stores')}</Title>
        <TextLink to="/settings/stores" size="sm">
          {t('home.storesOpen', { count: stores.length - closed.length, total: stores.length })}
        </TextLink>
      </Group>
      <Stack gap="sm">
        {shown.map(({ vendor_id, name }) => (
          <Group key={vendor_id} justify="space-between" wrap="nowrap">
            <Stack gap={2} miw={0}>
              <Text size="sm">
                <bdi>{name}</bdi>
              </Text>
              <StatusOf outlet={statuses.get(vendor_id)} />
            </Stack>
            {may('putOutletStatuses') && !isOpen(statuses.get(vendor_id)) && canChange(statuses.get(vendor_id)) && (
              <OpenNow vendorId={vendor_id} />
            )}
          </Group>
        ))}
      </Stack>
    </Card>
  );
}

const maxShown = 5;
