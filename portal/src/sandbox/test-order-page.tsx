import { Alert, Button, Group, List, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useChange, useRead } from '../api/hooks.ts';
import { usePermission } from '../api/session.tsx';
import { ButtonLink } from '../kit/link.tsx';
import { notifyDone } from '../kit/notify.ts';
import { NotAllowed } from '../kit/not-allowed.tsx';
import { Page } from '../kit/page.tsx';
import { useStore } from '../api/store.tsx';
import { TestOrderForm } from './test-order-form.tsx';

export function TestOrderPage() {
  const may = usePermission();
  const { store } = useStore();
  const missing = useMissing();
  return (
    <Page
      title="Test order"
      about={`Sends an order for ${store.name} to your webhook like a real one. It ignores stock, works while the store is closed, and does not change stock.`}
    >
      {!missing && <Skeleton height={300} />}
      {missing && missing.length > 0 && <Missing what={missing} />}
      {missing?.length === 0 &&
        (may('createTestOrder') ? (
          <TestOrderForm key={store.vendor_id} />
        ) : (
          <NotAllowed>You have read-only access. Only managers and owners can send test orders.</NotAllowed>
        ))}
    </Page>
  );
}

type Requirement = 'type' | 'webhook' | 'enabled';

/** What a test order requires and the store does not have yet. */
function useMissing(): Requirement[] | undefined {
  const { store } = useStore();
  const settings = useRead('getVendorSettings', { params: { vendor_id: store.vendor_id } });
  const webhooks = useRead('listWebhooks', { query: { page_size: 500 } });
  if (!settings.data || !webhooks.data || settings.data.vendor_id !== store.vendor_id) return undefined;
  const hasWebhook = webhooks.data.webhooks.some(
    ({ vendor_id }) => vendor_id === null || vendor_id === store.vendor_id,
  );
  const requirements: [Requirement, boolean][] = [
    ['type', settings.data.integration_type === null],
    ['webhook', !hasWebhook],
    ['enabled', !settings.data.integration_enabled],
  ];
  return requirements.flatMap(([requirement, isMissing]) => (isMissing ? [requirement] : []));
}

/** Each requirement with the action that meets it, if the user may take it. */
function Missing({ what }: { what: Requirement[] }) {
  const may = usePermission();
  const { store } = useStore();
  const update = useChange('updateVendorSettings', ['getVendorSettings']);
  const isDisabled = what.includes('type') || what.includes('enabled');
  const enable = () =>
    update.mutate(
      { params: { vendor_id: store.vendor_id }, body: { integration_type: 'PICKING', integration_enabled: true } },
      { onSuccess: () => notifyDone(`Integration of ${store.name} enabled.`) },
    );
  return (
    <Alert color="yellow" icon={<IconAlertTriangle size={18} />} title="Setup incomplete">
      <Stack gap="sm" align="flex-start">
        <List size="sm">
          {what.includes('webhook') && <List.Item>Add a webhook for the chain or the store</List.Item>}
          {what.includes('type') && <List.Item>Set the integration type of the store to picking</List.Item>}
          {what.includes('enabled') && <List.Item>Enable the integration of the store</List.Item>}
        </List>
        <Group gap="xs">
          {what.includes('webhook') && <ButtonLink to="/integration/webhooks">Add webhook</ButtonLink>}
          {isDisabled && may('updateVendorSettings') && (
            <Button onClick={enable} loading={update.isPending}>
              Enable integration
            </Button>
          )}
          {isDisabled && !may('updateVendorSettings') && <Text size="sm">Ask an owner to enable the integration.</Text>}
          <Button disabled>Send test order</Button>
        </Group>
      </Stack>
    </Alert>
  );
}
