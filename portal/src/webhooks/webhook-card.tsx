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
import { useMay } from '../api/session.tsx';
import { confirm } from '../kit/confirm.tsx';
import { count, when, words } from '../kit/format.ts';
import { InlineLink } from '../kit/link.tsx';
import { notifyDone } from '../kit/notify.ts';
import { Secret } from '../kit/secret.tsx';
import { State } from '../kit/state.tsx';
import { useWebhookActs, type Webhook } from './use-webhooks.ts';

type CardProps = { title: string; webhook: Webhook; onEdit(): void };

export function WebhookCard({ title, webhook, onEdit }: CardProps) {
  const acts = useWebhookActs(webhook.vendor_id);
  return (
    <Card component="section" aria-label={`Webhook: ${title}`}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Group gap="sm">
            <Title order={2}>{title}</Title>
            <State value={webhook.status} />
            {webhook.catalog_status === 'DISABLED' && webhook.status === 'ENABLED' && (
              <Text size="sm">Catalog events are off</Text>
            )}
          </Group>
          <Acts webhook={webhook} acts={acts} onEdit={onEdit} />
        </Group>
        {webhook.disabled_reason && <WhyOff reason={webhook.disabled_reason} />}
        <Addresses webhook={webhook} />
        {acts.ping.data && <PingResult deliveryId={acts.ping.data.delivery_id} />}
      </Stack>
      {acts.rotate.data && (
        <Secret
          title="The new signing secret"
          label="Signing secret"
          secret={acts.rotate.data.signing_secret}
          lost="If it is lost, make another one."
          onClose={acts.rotate.reset}
        >
          <Text size="sm">
            Until {when(acts.rotate.data.previous_secret_expires_at)} every message is signed with the old one as well.
          </Text>
        </Secret>
      )}
    </Card>
  );
}

/** What became of the ping, and what to do with a webhook that works. */
function PingResult({ deliveryId }: { deliveryId: string }) {
  const { data } = useRead(
    'getDelivery',
    { params: { delivery_id: deliveryId } },
    { refetchInterval: ({ state }) => (state.data?.status === 'DELIVERED' ? false : 1000), throwOnError: false },
  );
  const delivery = data?.delivery_id === deliveryId ? data : undefined;
  const last = delivery?.attempts.at(-1);
  const hasArrived = delivery?.status === 'DELIVERED';
  return (
    <Alert
      color={hasArrived ? 'teal' : last ? 'red' : 'gray'}
      title={hasArrived ? 'The ping has arrived' : last ? 'The ping has not arrived' : 'The ping is on its way'}
      role="status"
    >
      <Text size="sm">
        {last &&
          `${words(last.outcome)}${last.http_status === null ? '' : ` (${last.http_status})`}, in ${count(last.duration_ms)} ms: `}
        <InlineLink to="/integration/deliveries" search={{ open: deliveryId }}>
          see what became of it
        </InlineLink>
        {hasArrived && (
          <>
            {' '}
            or <InlineLink to="/test-order">send a test order</InlineLink>
          </>
        )}
        .{last?.outcome === 'connection_failed' && ' Is something listening there?'}
      </Text>
    </Alert>
  );
}

const reasons = {
  GONE: 'The address answered 410 Gone, so nothing is sent to it any more.',
  FAILING: 'The address failed for five days without one success.',
  MANUAL: 'It was switched off here.',
};

function WhyOff({ reason }: { reason: keyof typeof reasons }) {
  return (
    <Alert color="red" title="Switched off">
      {reasons[reason]} Nothing is lost: deliveries wait and go out once it is enabled.
    </Alert>
  );
}

function Addresses({ webhook }: { webhook: Webhook }) {
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
          .filter(([, address]) => address !== null)
          .map(([name, address, isUsed]) => (
            <Table.Tr key={name}>
              <Table.Th w={230}>
                {name} {isUsed && <b>(in use)</b>}
              </Table.Th>
              <Table.Td className="mono" style={{ wordBreak: 'break-all' }}>
                {address}
              </Table.Td>
            </Table.Tr>
          ))}
        <Table.Tr>
          <Table.Th>Authorization header</Table.Th>
          <Table.Td>{webhook.has_secret ? 'sent as you typed it, never shown' : 'none'}</Table.Td>
        </Table.Tr>
      </Table.Tbody>
    </Table>
  );
}

type ActsProps = { webhook: Webhook; acts: ReturnType<typeof useWebhookActs>; onEdit(): void };

function Acts({ webhook, acts, onEdit }: ActsProps) {
  const may = useMay();
  const isOn = webhook.status === 'ENABLED';
  return (
    <Group gap="xs">
      {may('pingWebhook') && isOn && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconSend size={14} />}
          loading={acts.ping.isPending}
          onClick={() => acts.ping.mutate()}
        >
          Ping
        </Button>
      )}
      {may('enableWebhook') && !isOn && (
        <Button
          size="xs"
          leftSection={<IconPlayerPlay size={14} />}
          loading={acts.enable.isPending}
          onClick={() =>
            acts.enable.mutate(undefined, { onSuccess: () => notifyDone('It is enabled; what waited is sent now.') })
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
      {may('deleteWebhook') && <More isOn={isOn} acts={acts} />}
    </Group>
  );
}

function More({ isOn, acts }: { isOn: boolean; acts: ReturnType<typeof useWebhookActs> }) {
  const askRotate = () =>
    confirm({
      title: 'Make a new signing secret?',
      text: 'For 24 hours every message is signed with both, so that your receiver can change over in peace.',
      action: 'Make a new one',
      isHarmless: true,
      onConfirm: () => acts.rotate.mutate(),
    });
  const askDelete = () =>
    confirm({
      title: 'Delete this webhook?',
      text: 'What is still pending is given up. Events stay in the feed.',
      action: 'Delete',
      onConfirm: () => acts.remove.mutate(undefined, { onSuccess: () => notifyDone('The webhook is deleted.') }),
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
          New signing secret
        </Menu.Item>
        {isOn && (
          <Menu.Item leftSection={<IconPlayerPause size={16} />} onClick={() => acts.disable.mutate()}>
            Switch off
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconTrash size={16} />} onClick={askDelete}>
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
