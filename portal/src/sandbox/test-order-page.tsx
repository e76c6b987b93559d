import { Alert, Button, Group, List, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useChange, useRead } from '../api/hooks.ts';
import { usePermission } from '../api/session.tsx';
import { ButtonLink } from '../kit/link.tsx';
import { notifyDone } from '../kit/notify.ts';
import { NotAllowed } from '../kit/not-allowed.tsx';
import { Page } from '../kit/page.tsx';
import { useStore } from '../api/store.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { TestOrderForm } from './test-order-form.tsx';
import { useWebhooks } from '../webhooks/use-webhooks.ts';

export function TestOrderPage() {
  const t = useMessages();
  const may = usePermission();
  const { store } = useStore();
  const missing = useMissing();
  return (
    <Page title={t('testOrder.title')} about={t('testOrder.about', { store: store.name })}>
      {!missing && <Skeleton height={300} />}
      {missing && missing.length > 0 && <Missing what={missing} />}
      {missing?.length === 0 &&
        (may('createTestOrder') ? (
          <TestOrderForm key={store.vendor_id} />
        ) : (
          <NotAllowed>{t('testOrder.readOnly')}</NotAllowed>
        ))}
    </Page>
  );
}

type Requirement = 'type' | 'webhook' | 'enabled';

/** The requirements for a test order that the store does not meet yet. */
function useMissing(): Requirement[] | undefined {
  const { store } = useStore();
  const settings = useRead('getVendorSettings', { params: { vendor_id: store.vendor_id } });
  const webhooks = useWebhooks();
  if (!settings.data || !webhooks || settings.data.vendor_id !== store.vendor_id) return undefined;
  const hasWebhook = webhooks.some(({ vendor_id }) => vendor_id === null || vendor_id === store.vendor_id);
  const requirements: [Requirement, boolean][] = [
    ['type', settings.data.integration_type === null],
    ['webhook', !hasWebhook],
    ['enabled', !settings.data.integration_enabled],
  ];
  return requirements.flatMap(([requirement, isMissing]) => (isMissing ? [requirement] : []));
}

/** Lists the missing requirements, with buttons for those that the user has permission to fix. */
function Missing({ what }: { what: Requirement[] }) {
  const t = useMessages();
  const may = usePermission();
  const { store } = useStore();
  const update = useChange('updateVendorSettings', ['getVendorSettings']);
  const isDisabled = what.includes('type') || what.includes('enabled');
  const enable = () =>
    update.mutate(
      { params: { vendor_id: store.vendor_id }, body: { integration_type: 'PICKING', integration_enabled: true } },
      { onSuccess: () => notifyDone(t('testOrder.enabled', { store: store.name })) },
    );
  return (
    <Alert color="yellow" icon={<IconAlertTriangle size={18} />} title={t('testOrder.incomplete')}>
      <Stack gap="sm" align="flex-start">
        <List size="sm">
          {what.includes('webhook') && <List.Item>{t('testOrder.addWebhookStep')}</List.Item>}
          {what.includes('type') && <List.Item>{t('testOrder.typeStep')}</List.Item>}
          {what.includes('enabled') && <List.Item>{t('testOrder.enableStep')}</List.Item>}
        </List>
        <Group gap="xs">
          {what.includes('webhook') && <ButtonLink to="/integration/webhooks">{t('testOrder.addWebhook')}</ButtonLink>}
          {isDisabled && may('updateVendorSettings') && (
            <Button onClick={enable} loading={update.isPending}>
              {t('testOrder.enable')}
            </Button>
          )}
          {isDisabled && !may('updateVendorSettings') && <Text size="sm">{t('testOrder.askOwner')}</Text>}
          <Button disabled>{t('testOrder.send')}</Button>
        </Group>
      </Stack>
    </Alert>
  );
}
