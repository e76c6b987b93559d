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
      about={`Send a test order for ${store.name} to your webhook. Your system receives it like a real order. It works even if the store is closed or products are out of stock, and it does not change stock levels.`}
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

/** The requirements for a test order that the store does not meet yet. */
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

/** Lists the missing requirements, with buttons for those that the user has permission to fix. */
function Missing({ what }: { what: Requirement[] }) {
  const may = usePermission();
  const { store } = useStore();
  const update = useChange('updateVendorSettings', ['getVendorSettings']);
  const isDisabled = what.includes('type') || what.includes('enabled');
  const enable = () =>
    update.mutate(
      { params: { vendor_id: store.vendor_id }, body: { integration_type: 'PICKING', integration_enabled: true } },
      { onSuccess: () => notifyDone(`Integration enabled for ${store.name}.`) },
    );
  return (
    <Alert color="yellow" icon={<IconAlertTriangle size={18} />} title="Setup incomplete">
      <Stack gap="sm" align="flex-start">
        <List size="sm">
          {what.includes('webhook') && <List.Item>Add a webhook for the chain or the store</List.Item>}
          {what.includes('type') && <List.Item>Set the store's integration type to picking</List.Item>}
          {what.includes('enabled') && <List.Item>Enable the store's integration</List.Item>}
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
