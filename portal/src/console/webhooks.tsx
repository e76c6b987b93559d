import { Alert, Button, Card, Group, MultiSelect, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { platformEventTypes } from '@aisle/contract/platform-events';
import { useState } from 'react';
import { fieldErrorsOf } from '../api/field-errors.ts';
import { notifyFailure } from '../api/notify-failure.ts';
import { confirm } from '../kit/confirm.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { notifyDone } from '../kit/notify.ts';
import { Page } from '../kit/page.tsx';
import { Secret } from '../kit/secret.tsx';
import { State } from '../kit/state.tsx';
import { Time } from '../kit/time.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { describeAttempt } from '../webhooks/describe.ts';
import { type PlatformBody, type PlatformId, useAllowed, usePlatform, usePlatformChange } from './api.ts';

type Webhook = PlatformBody<'platformListWebhooks'>['webhooks'][number];

const changed: PlatformId[] = ['platformListWebhooks'];

/** The webhooks of the platform itself. */
export function Webhooks() {
  const t = useMessages();
  const isAllowed = useAllowed();
  const { data } = usePlatform('platformListWebhooks', {}, { refetchInterval: 10_000 });
  return (
    <Page title={t('console.webhooks')} about={t('console.webhooksAbout')}>
      {data?.webhooks.length === 0 && (
        <Card padding={0}>
          <EmptyState title={t('webhooks.none')} />
        </Card>
      )}
      {data?.webhooks.map((webhook) => (
        <WebhookCard key={webhook.webhook_id} webhook={webhook} />
      ))}
      {isAllowed('platformCreateWebhook') && <AddWebhook />}
    </Page>
  );
}

function WebhookCard({ webhook }: { webhook: Webhook }) {
  const ping = usePlatformChange('platformPingWebhook', changed);
  const state = webhook.status === 'DISABLED' ? 'DISABLED' : webhook.failing_since ? 'FAILING' : 'ENABLED';
  return (
    <Card component="section" aria-label={webhook.url}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start">
          <Stack gap={4} miw={0}>
            <Group gap="sm">
              <Text className="mono" fw={600} style={{ overflowWrap: 'anywhere' }}>
                {webhook.url}
              </Text>
              <State value={state} />
              {webhook.failing_since && <Time at={webhook.failing_since} />}
            </Group>
            {webhook.description && <Text size="sm">{webhook.description}</Text>}
          </Stack>
          <Actions webhook={webhook} ping={ping} />
        </Group>
        <Text size="sm" c="dimmed" className="mono" style={{ overflowWrap: 'anywhere' }}>
          {webhook.event_types.join(', ')}
        </Text>
        {ping.data && <PingResult ping={ping.data} />}
      </Stack>
    </Card>
  );
}

type ActionsProps = { webhook: Webhook; ping: ReturnType<typeof usePlatformChange<'platformPingWebhook'>> };

function Actions({ webhook, ping }: ActionsProps) {
  const t = useMessages();
  const isAllowed = useAllowed();
  const params = { webhook_id: webhook.webhook_id };
  const enable = usePlatformChange('platformEnableWebhook', changed);
  const disable = usePlatformChange('platformDisableWebhook', changed);
  const remove = usePlatformChange('platformDeleteWebhook', changed);
  const isOn = webhook.status === 'ENABLED';
  const askDelete = () =>
    confirm({
      title: t('webhooks.deleteAsk'),
      text: t('webhooks.deleteText'),
      action: t('webhooks.delete'),
      onConfirm: () => remove.mutate({ params }, { onSuccess: () => notifyDone(t('webhooks.deleted')) }),
    });
  return (
    <Group gap="xs">
      {isOn && isAllowed('platformPingWebhook') && (
        <Button size="xs" variant="default" loading={ping.isPending} onClick={() => ping.mutate({ params })}>
          {t('webhooks.ping')}
        </Button>
      )}
      {isAllowed('platformEnableWebhook') && (
        <Button
          size="xs"
          variant="default"
          loading={enable.isPending || disable.isPending}
          onClick={() => (isOn ? disable : enable).mutate({ params })}
        >
          {isOn ? t('webhooks.disable') : t('webhooks.enable')}
        </Button>
      )}
      {isAllowed('platformDeleteWebhook') && (
        <Button size="xs" variant="subtle" color="red" loading={remove.isPending} onClick={askDelete}>
          {t('webhooks.delete')}
        </Button>
      )}
    </Group>
  );
}

/** Shows what the receiver responded to a ping. */
function PingResult({ ping: { chain_id, delivery_id } }: { ping: PlatformBody<'platformPingWebhook'> }) {
  const t = useMessages();
  const { data } = usePlatform(
    'platformGetDelivery',
    { params: { chain_id, delivery_id } },
    {
      refetchInterval: ({ state }) => ((state.data?.status ?? 'PENDING') === 'PENDING' ? 1000 : false),
      throwOnError: false,
    },
  );
  const delivery = data?.delivery_id === delivery_id && data.status !== 'PENDING' ? data : undefined;
  const last = delivery?.attempts.at(-1);
  const hasArrived = delivery?.status === 'DELIVERED';
  return (
    <Alert
      color={hasArrived ? 'teal' : last ? 'red' : 'gray'}
      title={hasArrived ? t('webhooks.pingDelivered') : last ? t('console.pingFailed') : t('webhooks.sendingPing')}
      role="status"
    >
      {last && describeAttempt(t, last)}
    </Alert>
  );
}

function AddWebhook() {
  const t = useMessages();
  const [secret, setSecret] = useState<string>();
  const form = useForm({ initialValues: { url: '', event_types: [] as Webhook['event_types'], description: '' } });
  const create = usePlatformChange('platformCreateWebhook', changed, (error) => {
    const errors = fieldErrorsOf(error, ['url', 'event_types', 'description']);
    if (errors) form.setErrors(errors);
    else notifyFailure(error);
  });
  const submit = form.onSubmit((body) =>
    create.mutate(
      { body },
      {
        onSuccess: ({ signing_secret }) => {
          form.reset();
          setSecret(signing_secret);
        },
      },
    ),
  );
  return (
    <Card>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm" maw={560}>
          <Title order={2}>{t('webhooks.add')}</Title>
          <TextInput
            type="url"
            label={t('console.url')}
            placeholder="https://example.com/hooks"
            {...form.getInputProps('url')}
          />
          <MultiSelect
            label={t('console.eventTypes')}
            data={platformEventTypes}
            searchable
            clearable
            {...form.getInputProps('event_types')}
          />
          <TextInput label={t('console.description')} {...form.getInputProps('description')} />
          <Group>
            <Button type="submit" loading={create.isPending}>
              {t('webhooks.save')}
            </Button>
          </Group>
        </Stack>
      </form>
      {secret !== undefined && (
        <Secret
          title={t('webhooks.secret')}
          label={t('webhooks.secret')}
          secret={secret}
          onClose={() => setSecret(undefined)}
        >
          <Text size="sm">{t('webhooks.secretHelp')}</Text>
        </Secret>
      )}
    </Card>
  );
}
