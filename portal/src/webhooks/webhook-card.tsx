import { ActionIcon, Alert, Button, Card, Group, Menu, Stack, Table, Text, Title } from '@mantine/core';
import {
  IconDots,
  IconKey,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconSend,
  IconTrash,
} from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useRead } from '../api/hooks.ts';
import { usePermission } from '../api/session.tsx';
import { confirm } from '../kit/confirm.tsx';
import { formatDateTime } from '../kit/format.ts';
import { InlineLink } from '../kit/link.tsx';
import { notifyDone } from '../kit/notify.ts';
import { Secret } from '../kit/secret.tsx';
import { State } from '../kit/state.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { describeAttempt, webhookState } from './describe.ts';
import { useWebhookActions, type Webhook } from './use-webhooks.ts';

type CardProps = { title: string; webhook: Webhook; onEdit(): void };

export function WebhookCard({ title, webhook, onEdit }: CardProps) {
  const t = useMessages();
  const actions = useWebhookActions(webhook.vendor_id);
  return (
    <Card component="section" aria-label={t('webhooks.name', { owner: title })}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Group gap="sm">
            <Title order={2}>{title}</Title>
            <State value={webhookState(webhook)} />
            {webhook.catalog_status === 'DISABLED' && webhook.status === 'ENABLED' && (
              <Text size="sm">{t('webhooks.catalogDisabled')}</Text>
            )}
          </Group>
          <Actions webhook={webhook} actions={actions} onEdit={onEdit} />
        </Group>
        {webhook.disabled_reason && <DisabledReason reason={webhook.disabled_reason} />}
        {webhook.previous_secret_expires_at && (
          <Alert color="blue" title={t('webhooks.rotating')}>
            {t('webhooks.rotatingHelp', { time: formatDateTime(webhook.previous_secret_expires_at) })}
          </Alert>
        )}
        <WebhookUrls webhook={webhook} />
        {actions.ping.data && <PingResult deliveryId={actions.ping.data.delivery_id} />}
      </Stack>
      {actions.rotate.data && (
        <Secret
          title={t('webhooks.newSecret')}
          label={t('webhooks.secret')}
          secret={actions.rotate.data.signing_secret}
          lost={t('webhooks.secretLostAgain')}
          onClose={actions.rotate.reset}
        >
          <Text size="sm">
            {t('webhooks.alsoPrevious', { time: formatDateTime(actions.rotate.data.previous_secret_expires_at) })}
          </Text>
        </Secret>
      )}
    </Card>
  );
}

/** Shows the result of a ping and the next step. */
function PingResult({ deliveryId }: { deliveryId: string }) {
  const t = useMessages();
  const { data } = useRead(
    'getDelivery',
    { params: { delivery_id: deliveryId } },
    // An attempt can be recorded between reading the status and reading the attempts.
    {
      refetchInterval: ({ state }) => ((state.data?.status ?? 'PENDING') === 'PENDING' ? 1000 : false),
      throwOnError: false,
    },
  );
  const delivery = data?.delivery_id === deliveryId && data.status !== 'PENDING' ? data : undefined;
  const last = delivery?.attempts.at(-1);
  const hasArrived = delivery?.status === 'DELIVERED';
  const result = last && describeAttempt(t, last);
  const alert = useRef<HTMLDivElement>(null);
  // On a phone, the result is below the button and the URLs.
  useEffect(() => {
    alert.current?.scrollIntoView({ block: 'nearest' });
  }, [deliveryId, delivery?.status]);
  return (
    <Alert
      ref={alert}
      color={hasArrived ? 'teal' : last ? 'red' : 'gray'}
      title={hasArrived ? t('webhooks.pingDelivered') : (result ?? t('webhooks.sendingPing'))}
      role="status"
    >
      <Text size="sm">
        {hasArrived && `${result} `}
        <InlineLink to="/integration/deliveries" search={{ open: deliveryId }}>
          {t('webhooks.viewDelivery')}
        </InlineLink>
        {hasArrived && (
          <>
            {' · '}
            <InlineLink to="/test-order">{t('webhooks.sendTestOrder')}</InlineLink>
          </>
        )}
      </Text>
    </Alert>
  );
}

const reasons = { GONE: 'webhooks.gone', FAILING: 'webhooks.fiveDays', MANUAL: 'webhooks.manual' } as const;

function DisabledReason({ reason }: { reason: keyof typeof reasons }) {
  const t = useMessages();
  return (
    <Alert color="red" title={t('webhooks.disabled')}>
      {t('webhooks.disabledHelp', { reason: t(reasons[reason]) })}
    </Alert>
  );
}

function WebhookUrls({ webhook }: { webhook: Webhook }) {
  const t = useMessages();
  const rows: [string, string | null, boolean][] = [
    [t('webhooks.staging'), webhook.staging_url, webhook.environment === 'staging'],
    [t('webhooks.production'), webhook.production_url, webhook.environment === 'production'],
    [t('webhooks.stagingCatalog'), webhook.staging_catalog_url, webhook.environment === 'staging'],
    [t('webhooks.productionCatalog'), webhook.production_catalog_url, webhook.environment === 'production'],
  ];
  return (
    <Table className="stacked" variant="vertical" horizontalSpacing={0} highlightOnHover={false} withRowBorders={false}>
      <Table.Tbody>
        {rows
          .filter(([, url]) => url !== null)
          .map(([name, url, isUsed]) => (
            <Table.Tr key={name}>
              <Table.Th w={230}>
                {name} {isUsed && <b>{t('webhooks.inUse')}</b>}
              </Table.Th>
              <Table.Td className="mono" style={{ overflowWrap: 'anywhere' }}>
                {url}
              </Table.Td>
            </Table.Tr>
          ))}
        <Table.Tr>
          <Table.Th>{t('webhooks.authorization')}</Table.Th>
          <Table.Td>{webhook.has_secret ? t('webhooks.set') : t('webhooks.notSet')}</Table.Td>
        </Table.Tr>
      </Table.Tbody>
    </Table>
  );
}

type ActionsProps = { webhook: Webhook; actions: ReturnType<typeof useWebhookActions>; onEdit(): void };

function Actions({ webhook, actions, onEdit }: ActionsProps) {
  const t = useMessages();
  const may = usePermission();
  const isOn = webhook.status === 'ENABLED';
  return (
    <Group gap="xs">
      {may('pingWebhook') && isOn && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconSend size={14} />}
          loading={actions.ping.isPending}
          onClick={() => actions.ping.mutate()}
        >
          {t('webhooks.ping')}
        </Button>
      )}
      {may('enableWebhook') && !isOn && (
        <Button
          size="xs"
          leftSection={<IconPlayerPlay size={14} />}
          loading={actions.enable.isPending}
          onClick={() =>
            actions.enable.mutate(undefined, {
              onSuccess: () => notifyDone(t('webhooks.enabled')),
            })
          }
        >
          {t('webhooks.enable')}
        </Button>
      )}
      {may('putWebhook') && (
        <Button size="xs" variant="default" leftSection={<IconPencil size={14} />} onClick={onEdit}>
          {t('webhooks.edit')}
        </Button>
      )}
      {may('deleteWebhook') && <More isOn={isOn} actions={actions} />}
    </Group>
  );
}

function More({ isOn, actions }: { isOn: boolean; actions: ReturnType<typeof useWebhookActions> }) {
  const t = useMessages();
  const askRotate = () =>
    confirm({
      title: t('webhooks.rotateAsk'),
      text: t('webhooks.rotateText'),
      action: t('webhooks.rotate'),
      isHarmless: true,
      onConfirm: () => actions.rotate.mutate(),
    });
  const askDelete = () =>
    confirm({
      title: t('webhooks.deleteAsk'),
      text: t('webhooks.deleteText'),
      action: t('webhooks.delete'),
      onConfirm: () => actions.remove.mutate(undefined, { onSuccess: () => notifyDone(t('webhooks.deleted')) }),
    });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={30} aria-label={t('webhooks.more')}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconKey size={16} />} onClick={askRotate}>
          {t('webhooks.rotateItem')}
        </Menu.Item>
        {isOn && (
          <Menu.Item leftSection={<IconPlayerPause size={16} />} onClick={() => actions.disable.mutate()}>
            {t('webhooks.disable')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconTrash size={16} />} onClick={askDelete}>
          {t('webhooks.delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
