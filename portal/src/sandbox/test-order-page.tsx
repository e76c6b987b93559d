import { Alert, Button, Group, List, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useChange, useRead } from '../api/hooks.ts';
import { useMay } from '../api/session.tsx';
import { ButtonLink } from '../kit/link.tsx';
import { notifyDone } from '../kit/notify.ts';
import { NotAllowed } from '../kit/not-allowed.tsx';
import { Page } from '../kit/page.tsx';
import { useStore } from '../api/store.tsx';
import { TestOrderForm } from './test-order-form.tsx';

export function TestOrderPage() {
  const may = useMay();
  const { store } = useStore();
  const missing = useMissing();
  return (
    <Page
      title="Test order"
      about={`An order for ${store.name} that goes to your webhook like a real one. Neither stock nor opening hours matter, and no stock moves.`}
    >
      {!missing && <Skeleton height={300} />}
      {missing && missing.length > 0 && <Missing what={missing} />}
      {missing?.length === 0 &&
        (may('createTestOrder') ? (
          <TestOrderForm key={store.vendor_id} />
        ) : (
          <NotAllowed>Managers and owners send test orders. Your role is to look.</NotAllowed>
        ))}
    </Page>
  );
}

type Lack = 'type' | 'webhook' | 'enabled';

/** The three things a test order needs, of which these are not there yet. */
function useMissing(): Lack[] | undefined {
  const { store } = useStore();
  const settings = useRead('getVendorSettings', { params: { vendor_id: store.vendor_id } });
  const webhooks = useRead('listWebhooks', { query: { page_size: 500 } });
  if (!settings.data || !webhooks.data || settings.data.vendor_id !== store.vendor_id) return undefined;
  const isTold = webhooks.data.webhooks.some(({ vendor_id }) => vendor_id === null || vendor_id === store.vendor_id);
  const lacks: [Lack, boolean][] = [
    ['type', settings.data.integration_type === null],
    ['webhook', !isTold],
    ['enabled', !settings.data.integration_enabled],
  ];
  return lacks.flatMap(([lack, isThere]) => (isThere ? [lack] : []));
}

/** Each with the click that mends it, as far as the person may. */
function Missing({ what }: { what: Lack[] }) {
  const may = useMay();
  const { store } = useStore();
  const update = useChange('updateVendorSettings', ['getVendorSettings']);
  const isOff = what.includes('type') || what.includes('enabled');
  const switchOn = () =>
    update.mutate(
      { params: { vendor_id: store.vendor_id }, body: { integration_type: 'PICKING', integration_enabled: true } },
      { onSuccess: () => notifyDone(`The integration of ${store.name} is on.`) },
    );
  return (
    <Alert color="yellow" icon={<IconAlertTriangle size={18} />} title="A test order needs a little more">
      <Stack gap="sm" align="flex-start">
        <List size="sm">
          {what.includes('webhook') && <List.Item>a webhook for the chain or the store, to send it to</List.Item>}
          {what.includes('type') && <List.Item>an integration type for the store: picking</List.Item>}
          {what.includes('enabled') && <List.Item>the store’s integration switched on</List.Item>}
        </List>
        <Group gap="xs">
          {what.includes('webhook') && <ButtonLink to="/integration/webhooks">Set a webhook</ButtonLink>}
          {isOff && may('updateVendorSettings') && (
            <Button onClick={switchOn} loading={update.isPending}>
              Switch the integration on
            </Button>
          )}
          {isOff && !may('updateVendorSettings') && <Text size="sm">An owner of the chain can switch it on.</Text>}
          <Button disabled>Send test order</Button>
        </Group>
      </Stack>
    </Alert>
  );
}
