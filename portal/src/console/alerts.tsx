import { Alert, Card, Group, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Time } from '../kit/time.tsx';
import type { Translate } from '../messages/catalogue.ts';
import { useMessages } from '../messages/use-messages.ts';
import { type PlatformBody, usePlatform } from './api.ts';
import { ConsoleLink, type Target } from './links.tsx';

type ListedAlert = PlatformBody<'platformListAlerts'>['alerts'][number];

/** Read together, so that an alert is never in both lists. */
function useAlerts(isOpen: boolean): ListedAlert[] {
  const { data } = usePlatform('platformListAlerts', {}, { refetchInterval: 10_000 });
  return data?.alerts.filter(({ ended_at }) => (ended_at === null) === isOpen) ?? [];
}

/** What needs attention now. Each alert is a link to the list behind it. */
export function OpenAlerts() {
  const t = useMessages();
  const alerts = useAlerts(true);
  if (alerts.length === 0) return null;
  return (
    <Alert
      color="red"
      icon={<IconAlertTriangle aria-hidden />}
      title={t('console.openAlerts', { count: alerts.length })}
      role="region"
      aria-label={t('console.openAlerts', { count: alerts.length })}
    >
      <Stack gap="xs">
        {alerts.map((alert) => (
          <Entry key={alert.alert_id} alert={alert} />
        ))}
      </Stack>
    </Alert>
  );
}

/** The alerts that ended in the last day. */
export function EndedAlerts() {
  const t = useMessages();
  const alerts = useAlerts(false);
  if (alerts.length === 0) return null;
  return (
    <Card component="section" aria-label={t('console.endedAlerts')}>
      <Title order={2} mb="sm">
        {t('console.endedAlerts')}
      </Title>
      <Stack gap="xs">
        {alerts.slice(0, maxEnded).map((alert) => (
          <Entry key={alert.alert_id} alert={alert} />
        ))}
      </Stack>
    </Card>
  );
}

const maxEnded = 20;

function Entry({ alert }: { alert: ListedAlert }) {
  const t = useMessages();
  return (
    <Group justify="space-between" gap="0 10px" align="baseline">
      <ConsoleLink {...targetOf(alert)} size="sm" underline="always" c="inherit" style={{ overflowWrap: 'anywhere' }}>
        {describe(t, alert)}
      </ConsoleLink>
      <Text size="sm" c="dimmed" component="span">
        {alert.ended_at === null ? (
          <>
            {t('console.alertSince')} <Time at={alert.since} />
          </>
        ) : (
          <>
            <Time at={alert.started_at} /> – <Time at={alert.ended_at} />
          </>
        )}
      </Text>
    </Group>
  );
}

/** The list behind the alert. */
function targetOf({ kind, chain_id, vendor_id }: ListedAlert): Target {
  if (kind === 'STORE_SILENT') return { to: '/orders', search: { status: 'RECEIVED', chain_id, vendor_id } };
  if (kind === 'TASKS_DELAYED') return { to: '/jobs' };
  return { to: kind === 'ENDPOINT_FAILING' && chain_id === null ? '/webhooks' : '/endpoints' };
}

function describe(t: Translate, { kind, chain_id, chain_name: chain, vendor_name, url, waiting }: ListedAlert): string {
  const count = waiting ?? 0;
  if (kind === 'STORE_SILENT') return t('console.alert.store', { store: vendor_name ?? '', chain, count });
  if (kind === 'DELIVERIES_DELAYED') return t('console.alert.deliveries', { count });
  if (kind === 'TASKS_DELAYED') return t('console.alert.tasks', { count });
  const address = url ?? '';
  return chain_id === null
    ? t('console.alert.platformEndpoint', { url: address })
    : t('console.alert.endpoint', { chain, url: address });
}
