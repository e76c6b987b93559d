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
import { useRead } from '../api/hooks.ts';
import { usePermission } from '../api/session.tsx';
import { confirm } from '../kit/confirm.tsx';
import { formatDateTime } from '../kit/format.ts';
import { InlineLink } from '../kit/link.tsx';
import { notifyDone } from '../kit/notify.ts';
import { Secret } from '../kit/secret.tsx';
import { State } from '../kit/state.tsx';
import { describeAttempt, webhookState } from './describe.ts';
import { useWebhookActions, type Webhook } from './use-webhooks.ts';

type CardProps = { title: string; webhook: Webhook; onEdit(): void };

export function WebhookCard({ title, webhook, onEdit }: CardProps) {
  const actions = useWebhookActions(webhook.vendor_id);
  return (
    <Card component="section" aria-label={`Webhook: ${title}`}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Group gap="sm">
            <Title order={2}>{title}</Title>
            <State value={webhookState(webhook)} />
            {webhook.catalog_status === 'DISABLED' && webhook.status === 'ENABLED' && (
              <Text size="sm">Catalog events disabled</Text>
            )}
          </Group>
          <Actions webhook={webhook} actions={actions} onEdit={onEdit} />
        </Group>
        {webhook.disabled_reason && <DisabledReason reason={webhook.disabled_reason} />}
        {webhook.previous_secret_expires_at && (
          <Alert color="blue" title="The signing secret is being rotated">
            Messages are signed with both secrets until {formatDateTime(webhook.previous_secret_expires_at)}. Update
            your receiver before then.
          </Alert>
        )}
        <WebhookUrls webhook={webhook} />
        {actions.ping.data && <PingResult deliveryId={actions.ping.data.delivery_id} />}
      </Stack>
      {actions.rotate.data && (
        <Secret
          title="New signing secret"
          label="Signing secret"
          secret={actions.rotate.data.signing_secret}
          lost="If you lose it, rotate it again."
          onClose={actions.rotate.reset}
        >
          <Text size="sm">
            Until {formatDateTime(actions.rotate.data.previous_secret_expires_at)}, messages are also signed with the
            previous secret.
          </Text>
        </Secret>
      )}
    </Card>
  );
}

/** Shows the result of a ping and the next step. */
function PingResult({ deliveryId }: { deliveryId: string }) {
  const { data } = useRead(
    'getDelivery',
    { params: { delivery_id: deliveryId } },
    { refetchInterval: ({ state }) => ((state.data?.attempts.length ?? 0) > 0 ? false : 1000), throwOnError: false },
  );
  const delivery = data?.delivery_id === deliveryId ? data : undefined;
  const last = delivery?.attempts.at(-1);
  const hasArrived = delivery?.status === 'DELIVERED';
  const result = last && describeAttempt(last);
  return (
    <Alert
      color={hasArrived ? 'teal' : last ? 'red' : 'gray'}
      title={hasArrived ? 'Ping delivered' : (result ?? 'Sending ping')}
      role="status"
    >
      <Text size="sm">
        {hasArrived && `${result} `}
        <InlineLink to="/integration/deliveries" search={{ open: deliveryId }}>
          View delivery
        </InlineLink>
        {hasArrived && (
          <>
            {' '}
            or <InlineLink to="/test-order">send a test order</InlineLink>
          </>
        )}
        .
      </Text>
    </Alert>
  );
}

const reasons = {
  GONE: 'The endpoint returned 410 Gone.',
  FAILING: 'All deliveries have failed for five days.',
  MANUAL: 'Disabled manually.',
};

function DisabledReason({ reason }: { reason: keyof typeof reasons }) {
  return (
    <Alert color="red" title="Disabled">
      {reasons[reason]} Deliveries are queued and will be sent once you enable it.
    </Alert>
  );
}

function WebhookUrls({ webhook }: { webhook: Webhook }) {
  const rows: [string, string | null, boolean][] = [
    ['Staging', webhook.staging_url, webhook.environment === 'staging'],
    ['Production', webhook.production_url, webhook.environment === 'production'],
    ['Staging, catalog events', webhook.staging_catalog_url, webhook.environment === 'staging'],
    ['Production, catalog events', webhook.production_catalog_url, webhook.environment === 'production'],
  ];
  return (
    <Table variant="vertical" highlightOnHover={false} withRowBorders={false}>
      <Table.Tbody>
        {rows
          .filter(([, url]) => url !== null)
          .map(([name, url, isUsed]) => (
            <Table.Tr key={name}>
              <Table.Th w={230}>
                {name} {isUsed && <b>(in use)</b>}
              </Table.Th>
              <Table.Td className="mono" style={{ wordBreak: 'break-all' }}>
                {url}
              </Table.Td>
            </Table.Tr>
          ))}
        <Table.Tr>
          <Table.Th>Authorization header</Table.Th>
          <Table.Td>{webhook.has_secret ? 'Set (hidden)' : 'None'}</Table.Td>
        </Table.Tr>
      </Table.Tbody>
    </Table>
  );
}

type ActionsProps = { webhook: Webhook; actions: ReturnType<typeof useWebhookActions>; onEdit(): void };

function Actions({ webhook, actions, onEdit }: ActionsProps) {
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
          Ping
        </Button>
      )}
      {may('enableWebhook') && !isOn && (
        <Button
          size="xs"
          leftSection={<IconPlayerPlay size={14} />}
          loading={actions.enable.isPending}
          onClick={() =>
            actions.enable.mutate(undefined, {
              onSuccess: () => notifyDone('Webhook enabled. Sending queued deliveries.'),
            })
          }
        >
          Enable
        </Button>
      )}
      {may('putWebhook') && (
        <Button size="xs" variant="default" leftSection={<IconPencil size={14} />} onClick={onEdit}>
          Edit
        </Button>
      )}
      {may('deleteWebhook') && <More isOn={isOn} actions={actions} />}
    </Group>
  );
}

function More({ isOn, actions }: { isOn: boolean; actions: ReturnType<typeof useWebhookActions> }) {
  const askRotate = () =>
    confirm({
      title: 'Rotate the signing secret?',
      text: 'For 24 hours, messages are signed with both secrets, so you have time to update your receiver.',
      action: 'Rotate',
      isHarmless: true,
      onConfirm: () => actions.rotate.mutate(),
    });
  const askDelete = () =>
    confirm({
      title: 'Delete this webhook?',
      text: 'Pending deliveries are discarded. Events stay available in the feed.',
      action: 'Delete',
      onConfirm: () => actions.remove.mutate(undefined, { onSuccess: () => notifyDone('Webhook deleted.') }),
    });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={30} aria-label="More">
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconKey size={16} />} onClick={askRotate}>
          Rotate signing secret
        </Menu.Item>
        {isOn && (
          <Menu.Item leftSection={<IconPlayerPause size={16} />} onClick={() => actions.disable.mutate()}>
            Disable
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconTrash size={16} />} onClick={askDelete}>
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
