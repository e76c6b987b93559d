import { Button, Drawer, Group, Skeleton, Stack, Table, Text, Title, UnstyledButton } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { Fragment, useState } from 'react';
import { useChange, useRead } from '../api/hooks.ts';
import type { ResponseBody } from '../api/operations.ts';
import { usePermission } from '../api/session.tsx';
import { Code } from '../kit/code.tsx';
import { Copyable } from '../kit/copy.tsx';
import { formatDateTime, formatExactTime, formatMilliseconds, humanize } from '../kit/format.ts';
import { ButtonLink } from '../kit/link.tsx';
import { notifyDone } from '../kit/notify.ts';
import { State } from '../kit/state.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { AttemptDetails } from './attempt-details.tsx';

type Delivery = ResponseBody<'getDelivery'>;

/** A delivery with its attempts and its body. */
export function DeliveryDrawer({ deliveryId, onClose }: { deliveryId: string; onClose(): void }) {
  const t = useMessages();
  const { data, error } = useRead(
    'getDelivery',
    { params: { delivery_id: deliveryId } },
    { refetchInterval: 2000, throwOnError: false },
  );
  const delivery = data?.delivery_id === deliveryId ? data : undefined;
  return (
    <Drawer opened onClose={onClose} title={delivery?.type ?? t('deliveries.delivery')} size="xl">
      {error && (
        <Text dir="auto" className="own-direction">
          {error.message}
        </Text>
      )}
      {!delivery && !error && <Skeleton height={300} />}
      {delivery && (
        <Stack>
          <Group justify="space-between">
            <State value={delivery.status} />
            <Group gap="xs">
              {delivery.order_id && (
                <ButtonLink size="xs" variant="default" to="/orders/$orderId" params={{ orderId: delivery.order_id }}>
                  {t('deliveries.viewOrder')}
                </ButtonLink>
              )}
              <Resend delivery={delivery} />
            </Group>
          </Group>
          <Copyable value={delivery.delivery_id} label={t('deliveries.copyId')} isWhole />
          <Attempts delivery={delivery} />
          {delivery.body && (
            <Code
              label={t('deliveries.requestBody')}
              language="json"
              text={JSON.stringify(delivery.body, null, 2)}
              maxHeight={420}
            />
          )}
        </Stack>
      )}
    </Drawer>
  );
}

function Resend({ delivery }: { delivery: Delivery }) {
  const t = useMessages();
  const may = usePermission();
  const resend = useChange('resendDelivery', ['getDelivery', 'listDeliveries']);
  if (!may('resendDelivery')) return null;
  return (
    <Button
      size="xs"
      leftSection={<IconRefresh size={14} />}
      loading={resend.isPending}
      onClick={() =>
        resend.mutate(
          { params: { delivery_id: delivery.delivery_id } },
          { onSuccess: () => notifyDone(t('deliveries.resentOne')) },
        )
      }
    >
      {t('deliveries.resend')}
    </Button>
  );
}

function Attempts({ delivery }: { delivery: Delivery }) {
  const t = useMessages();
  const [chosen, setOpened] = useState<number>();
  // The last attempt is what most users are looking for.
  const opened = chosen === undefined ? delivery.attempts.at(-1)?.attempt_no : chosen;
  if (delivery.attempts.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('deliveries.noAttempts')}
      </Text>
    );
  return (
    <div>
      <Title order={3} mb={4}>
        {t('deliveries.attempts')}
      </Title>
      {delivery.attempts.length < delivery.attempt_count && (
        <Text size="sm" c="dimmed">
          {t('deliveries.newestAttempts', { count: delivery.attempts.length, total: delivery.attempt_count })}
        </Text>
      )}
      <Table aria-label={t('deliveries.attempts')} highlightOnHover={false} layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={{ base: '50%', sm: 200 }}>{t('deliveries.time')}</Table.Th>
            <Table.Th w={{ base: '50%', sm: 170 }}>{t('deliveries.outcome')}</Table.Th>
            <Table.Th w={100} ta="end" visibleFrom="sm">
              {t('deliveries.duration')}
            </Table.Th>
            <Table.Th visibleFrom="sm">{t('deliveries.url')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {delivery.attempts.map((attempt) => (
            <Fragment key={attempt.attempt_no}>
              <Table.Tr>
                <Table.Td>
                  <time dateTime={attempt.started_at} title={formatDateTime(attempt.started_at)}>
                    {formatExactTime(attempt.started_at)}
                  </time>
                </Table.Td>
                <Table.Td>
                  <UnstyledButton
                    className="tall"
                    fz="sm"
                    td="underline"
                    aria-expanded={attempt.attempt_no === opened}
                    onClick={() => setOpened(attempt.attempt_no === opened ? 0 : attempt.attempt_no)}
                  >
                    {humanize(attempt.outcome)}
                    {attempt.http_status !== null && ` (${attempt.http_status})`}
                  </UnstyledButton>
                </Table.Td>
                <Table.Td className="number" visibleFrom="sm">
                  {formatMilliseconds(attempt.duration_ms)}
                </Table.Td>
                <Table.Td visibleFrom="sm">
                  <Text className="mono" style={{ overflowWrap: 'anywhere' }}>
                    {attempt.url}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {humanize(attempt.environment)}
                  </Text>
                </Table.Td>
              </Table.Tr>
              {attempt.attempt_no === opened && (
                <Table.Tr>
                  <Table.Td colSpan={4}>
                    <AttemptDetails attempt={attempt} bodyText={delivery.body_text} />
                  </Table.Td>
                </Table.Tr>
              )}
            </Fragment>
          ))}
        </Table.Tbody>
      </Table>
      {delivery.next_attempt_at && (
        <Text size="sm" c="dimmed">
          {t('deliveries.nextAt', { time: formatDateTime(delivery.next_attempt_at) })}
        </Text>
      )}
    </div>
  );
}
