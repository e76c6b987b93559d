import { Button, Card, Group, Select, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useMay } from '../api/session.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { Page } from '../kit/page.tsx';
import { useStore } from '../api/store.tsx';
import { HealthCard } from './health-card.tsx';
import { type Place, useWebhooks } from './use-webhooks.ts';
import { VerifyCard } from './verify-card.tsx';
import { WebhookCard } from './webhook-card.tsx';
import { WebhookForm } from './webhook-form.tsx';

export function WebhooksPage() {
  const may = useMay();
  const { stores } = useStore();
  const webhooks = useWebhooks();
  const [editing, setEditing] = useState<{ place: Place }>();
  const nameOf = (place: Place) => stores.find((store) => store.vendor_id === place)?.name ?? 'The chain';
  const chain = webhooks?.find((webhook) => webhook.vendor_id === null);
  const own = webhooks?.filter((webhook) => webhook.vendor_id !== null) ?? [];
  const edited = webhooks?.find((webhook) => webhook.vendor_id === editing?.place);
  return (
    <Page
      title="Webhooks"
      about="Where we tell your systems what happens: orders as they come, and jobs that have ended. One for the chain, and others for single stores where you wish."
    >
      {!webhooks && <Skeleton height={200} />}
      {webhooks && !chain && (
        <Card padding={0}>
          <EmptyState
            title="The chain has no webhook yet"
            action={may('putWebhook') && <Button onClick={() => setEditing({ place: null })}>Set the webhook</Button>}
          >
            It is the address we send orders to. Without one, events wait in the feed.
          </EmptyState>
        </Card>
      )}
      {chain && <WebhookCard title="The chain" webhook={chain} onEdit={() => setEditing({ place: null })} />}
      {chain && <HealthCard />}
      {webhooks && (stores.length > 1 || own.length > 0) && (
        <Stack gap="sm">
          <Group justify="space-between">
            <div>
              <Title order={2}>Stores with a webhook of their own</Title>
              <Text size="sm" c="dimmed">
                For such a store it takes the place of the chain’s.
              </Text>
            </div>
            {may('putVendorWebhook') && (
              <Select
                aria-label="Give a store its own webhook"
                placeholder="Give a store its own"
                leftSection={<IconPlus size={16} />}
                w={260}
                value={null}
                data={stores
                  .filter((store) => !own.some((one) => one.vendor_id === store.vendor_id))
                  .map((store) => ({ value: store.vendor_id, label: store.name }))}
                onChange={(place) => place && setEditing({ place })}
              />
            )}
          </Group>
          {own.map((webhook) => (
            <WebhookCard
              key={webhook.webhook_id}
              title={nameOf(webhook.vendor_id)}
              webhook={webhook}
              onEdit={() => setEditing({ place: webhook.vendor_id })}
            />
          ))}
        </Stack>
      )}
      <VerifyCard />
      {editing && (
        <WebhookForm
          title={nameOf(editing.place)}
          place={editing.place}
          webhook={edited}
          onClose={() => setEditing(undefined)}
        />
      )}
    </Page>
  );
}
