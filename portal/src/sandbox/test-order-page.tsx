import { Alert, Button, List, Skeleton, Stack } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useRead } from '../api/hooks.ts';
import { useMay } from '../api/session.tsx';
import { InlineLink } from '../kit/link.tsx';
import { Page } from '../kit/page.tsx';
import { useStore } from '../shell/store.tsx';
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
          <Alert color="gray">Your role may not send test orders.</Alert>
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

function Missing({ what }: { what: Lack[] }) {
  return (
    <Alert color="yellow" icon={<IconAlertTriangle size={18} />} title="A test order needs a little more">
      <Stack gap="xs" align="flex-start">
        <List size="sm">
          {what.includes('type') && (
            <List.Item>
              an integration type: switch the picking integration on in the{' '}
              <InlineLink to="/settings/stores">settings of the store</InlineLink>
            </List.Item>
          )}
          {what.includes('webhook') && (
            <List.Item>
              a webhook for the chain or the store: <InlineLink to="/integration/webhooks">set one</InlineLink>
            </List.Item>
          )}
          {what.includes('enabled') && (
            <List.Item>
              the integration switched on in the <InlineLink to="/settings/stores">settings of the store</InlineLink>
            </List.Item>
          )}
        </List>
        <Button disabled>Send test order</Button>
      </Stack>
    </Alert>
  );
}
