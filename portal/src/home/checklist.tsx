import {
  Anchor,
  Button,
  Card,
  CloseButton,
  Group,
  Progress,
  Skeleton,
  Stack,
  Text,
  ThemeIcon,
  Title,
} from '@mantine/core';
import { IconCheck, IconCircleDashed } from '@tabler/icons-react';
import { Link, type LinkProps } from '@tanstack/react-router';
import { useRead } from '../api/hooks.ts';
import { useStore } from '../api/store.tsx';
import { Rich } from '../messages/rich.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { useStatistics } from '../statistics/use-statistics.ts';
import { useWebhooks } from '../webhooks/use-webhooks.ts';
import { useDismissed } from './use-dismissed.ts';

/** The steps to a working integration. Completed steps are checked off, and the next one is highlighted. */
export function Checklist() {
  const t = useMessages();
  const [isDismissed, setDismissed] = useDismissed();
  if (!isDismissed) return <LoadedChecklist onDismiss={() => setDismissed(true)} />;
  return (
    <Button variant="subtle" onClick={() => setDismissed(false)}>
      {t('home.showChecklist')}
    </Button>
  );
}

function LoadedChecklist({ onDismiss }: { onDismiss(): void }) {
  const steps = useSteps();
  if (!steps) return <Skeleton height={360} />;
  return <Steps steps={steps} onDismiss={onDismiss} />;
}

function Steps({ steps, onDismiss }: { steps: Step[]; onDismiss(): void }) {
  const t = useMessages();
  const done = steps.filter((step) => step.isDone).length;
  const next = steps.find((step) => !step.isDone);
  return (
    <Card>
      <Group justify="space-between" mb="xs" wrap="nowrap">
        <Title order={2}>{t('home.checklist')}</Title>
        <Group gap="xs" wrap="nowrap">
          <Text size="sm" c="dimmed" className="nowrap">
            {t('home.doneOf', { done, total: steps.length })}
          </Text>
          <CloseButton aria-label={t('home.dismiss')} onClick={onDismiss} />
        </Group>
      </Group>
      <Progress value={(100 * done) / steps.length} size="sm" mb="md" aria-label={t('home.checklist')} />
      <Stack gap="sm" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
        {steps.map((step) => (
          <StepLine key={step.title} {...step} isNext={step === next} isShort={next === undefined} />
        ))}
      </Stack>
      {done === steps.length && (
        <Text size="sm" mt="md">
          <Rich message="home.allDone" values={{ docs: <DocsAnchor /> }} />
        </Text>
      )}
    </Card>
  );
}

function DocsAnchor() {
  const t = useMessages();
  return (
    <Anchor href="/docs" target="_blank" underline="always" c="inherit" inherit>
      {t('home.docs')}
    </Anchor>
  );
}

type Step = { title: string; about: string; action: string; to: LinkProps['to']; isDone: boolean };

/** Undefined until everything is loaded, so that a completed step is never briefly shown as open. */
function useSteps(): Step[] | undefined {
  const t = useMessages();
  const { store } = useStore();
  const tokens = useRead('listTokens', { query: { page_size: 1 } });
  const webhooks = useWebhooks();
  const statistics = useStatistics(store.vendor_id);
  const updates = useRead('listCatalogJobs', { query: { page_size: 1, type: 'CATALOG_UPDATE' } });
  // What the marketplace prepares, and sees too.
  const prepared = useRead('getChecklist', {});
  if (!tokens.data || !webhooks || !statistics || !updates.data || !prepared.data) return undefined;
  const isDone = (step: string) => prepared.data.steps.some((one) => one.step === step && one.is_done);
  return [
    {
      title: t('home.step.stores.title'),
      about: t('home.step.stores.about'),
      action: t('home.step.stores.action'),
      to: '/settings/stores',
      isDone: isDone('stores') && isDone('categories'),
    },
    {
      title: t('home.step.products.title'),
      about: t('home.step.products.about'),
      action: t('home.step.products.action'),
      to: '/files/upload',
      isDone: isDone('products'),
    },
    {
      title: t('home.step.token.title'),
      about: t('home.step.token.about'),
      action: t('home.step.token.action'),
      to: '/integration/tokens',
      isDone: tokens.data.total_items > 0,
    },
    {
      title: t('home.step.webhook.title'),
      about: t('home.step.webhook.about'),
      action: t('home.step.webhook.action'),
      to: '/integration/webhooks',
      isDone: webhooks.length > 0,
    },
    {
      title: t('home.step.testOrder.title'),
      about: t('home.step.testOrder.about'),
      action: t('home.step.testOrder.action'),
      to: '/test-order',
      // The statistics do not include pings.
      isDone: statistics.webhooks.days.some(({ succeeded }) => succeeded > 0),
    },
    {
      title: t('home.step.fulfil.title'),
      about: t('home.step.fulfil.about'),
      action: t('home.step.fulfil.action'),
      to: '/orders',
      isDone: statistics.orders.fulfilment_rate !== null,
    },
    {
      title: t('home.step.bulk.title'),
      about: t('home.step.bulk.about'),
      action: t('home.step.bulk.action'),
      to: '/files/upload',
      isDone: updates.data.total_items > 0,
    },
  ];
}

type StepProps = Step & { isNext: boolean; isShort: boolean };

function StepLine({ title, about, action, to, isDone, isNext, isShort }: StepProps) {
  const t = useMessages();
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="flex-start" aria-current={isNext ? 'step' : undefined}>
      <ThemeIcon
        variant={isDone ? 'filled' : isNext ? 'outline' : 'default'}
        radius="xl"
        size="sm"
        mt={2}
        aria-label={t(isDone ? 'home.stepDone' : 'home.stepOpen')}
        role="img"
      >
        {isDone ? <IconCheck size={14} /> : <IconCircleDashed size={14} />}
      </ThemeIcon>
      <div>
        <Anchor component={Link} to={to} size="sm" fw={isNext ? 600 : 500} c="var(--mantine-color-text)">
          {title}
        </Anchor>
        {!isShort && (
          <Text size="sm" c="dimmed">
            {about}
          </Text>
        )}
        {isNext && (
          <Button component={Link} to={to} size="xs" mt={6}>
            {action}
          </Button>
        )}
      </div>
    </Group>
  );
}
