import { Button, Card, Group, Select, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { usePermission } from '../api/session.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { Page } from '../kit/page.tsx';
import { useStore } from '../api/store.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { FailingBanner } from './failing-banner.tsx';
import { HealthCard } from './health-card.tsx';
import { type WebhookOwner, useWebhooks } from './use-webhooks.ts';
import { VerifyCard } from './verify-card.tsx';
import { WebhookCard } from './webhook-card.tsx';
import { WebhookForm } from './webhook-form.tsx';

export function WebhooksPage() {
  const t = useMessages();
  const may = usePermission();
  const { stores } = useStore();
  const webhooks = useWebhooks();
  const [editing, setEditing] = useState<{ owner: WebhookOwner }>();
  const nameOf = (owner: WebhookOwner) =>
    stores.find((store) => store.vendor_id === owner)?.name ?? t('webhooks.chain');
  const chain = webhooks?.find((webhook) => webhook.vendor_id === null);
  const own = webhooks?.filter((webhook) => webhook.vendor_id !== null) ?? [];
  const edited = webhooks?.find((webhook) => webhook.vendor_id === editing?.owner);
  return (
    <Page title={t('webhooks.title')} about={t('webhooks.about')}>
      <FailingBanner />
      {!webhooks && <Skeleton height={200} />}
      {webhooks && !chain && (
        <Card padding={0}>
          <EmptyState
            title={t('webhooks.none')}
            action={
              may('putWebhook') && <Button onClick={() => setEditing({ owner: null })}>{t('webhooks.add')}</Button>
            }
          >
            {t('webhooks.noneHelp')}
          </EmptyState>
        </Card>
      )}
      {chain && <WebhookCard title={t('webhooks.chain')} webhook={chain} onEdit={() => setEditing({ owner: null })} />}
      {chain && <HealthCard />}
      {webhooks && (stores.length > 1 || own.length > 0) && (
        <Stack gap="sm">
          <Group justify="space-between">
            <div>
              <Title order={2}>{t('webhooks.ofStores')}</Title>
              <Text size="sm" c="dimmed">
                {t('webhooks.ofStoresHelp')}
              </Text>
            </div>
            {may('putVendorWebhook') && (
              <Select
                aria-label={t('webhooks.addStore')}
                placeholder={t('webhooks.addStore')}
                leftSection={<IconPlus size={16} />}
                w={{ base: '100%', sm: 260 }}
                value={null}
                data={stores
                  .filter((store) => !own.some((webhook) => webhook.vendor_id === store.vendor_id))
                  .map((store) => ({ value: store.vendor_id, label: store.name }))}
                onChange={(owner) => owner && setEditing({ owner })}
              />
            )}
          </Group>
          {own.map((webhook) => (
            <WebhookCard
              key={webhook.webhook_id}
              title={nameOf(webhook.vendor_id)}
              webhook={webhook}
              onEdit={() => setEditing({ owner: webhook.vendor_id })}
            />
          ))}
        </Stack>
      )}
      <VerifyCard />
      {editing && (
        <WebhookForm
          title={nameOf(editing.owner)}
          owner={editing.owner}
          webhook={edited}
          onClose={() => setEditing(undefined)}
        />
      )}
    </Page>
  );
}
