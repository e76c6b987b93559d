import { Grid, SegmentedControl, SimpleGrid, Stack } from '@mantine/core';
import { useState } from 'react';
import { useSession } from '../api/session.tsx';
import { Page } from '../kit/page.tsx';
import { useStore } from '../api/store.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { OrdersChart, RatesChart } from '../statistics/charts.tsx';
import { useStatistics } from '../statistics/use-statistics.ts';
import { FailingBanner } from '../webhooks/failing-banner.tsx';
import { Checklist } from './checklist.tsx';
import { RecentJobs } from './recent-jobs.tsx';
import { StoreStatus } from './store-status.tsx';
import { Snippets } from './snippets.tsx';
import { TodayTiles } from './today-tiles.tsx';
import { WebhookHealth } from './webhook-health.tsx';

/** Recent activity and the first steps. Each part loads its own data, so a slow part does not block the others. */
export function HomePage() {
  const t = useMessages();
  const { user, chain } = useSession();
  const { store, stores } = useStore();
  // The integration belongs to the whole chain, and people of some stores do not see its tokens and webhooks.
  const seesIntegration = user.vendor_ids === null;
  const [scope, setScope] = useState<'store' | 'chain'>('store');
  const statistics = useStatistics(scope === 'store' ? store.vendor_id : undefined);
  return (
    <Page
      title={chain.name}
      about={t('home.about', { name: user.name, stores: scope === 'store' ? store.name : t('home.allStores') })}
      actions={
        stores.length > 1 && (
          <SegmentedControl
            aria-label={t('home.scope')}
            value={scope}
            onChange={setScope}
            data={[
              { value: 'store', label: t('home.thisStore') },
              { value: 'chain', label: t('home.allStores') },
            ]}
          />
        )
      }
    >
      <FailingBanner />
      <TodayTiles statistics={statistics} />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 8 }} order={{ base: 2, lg: 1 }}>
          <Stack>
            <OrdersChart statistics={statistics} />
            <RatesChart statistics={statistics} />
            <SimpleGrid cols={{ base: 1, sm: seesIntegration ? 2 : 1 }} spacing="md">
              {seesIntegration && <WebhookHealth statistics={statistics} />}
              <RecentJobs />
            </SimpleGrid>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }} order={{ base: 1, lg: 2 }}>
          <Stack>
            <StoreStatus />
            {seesIntegration && <Checklist />}
          </Stack>
        </Grid.Col>
      </Grid>
      {seesIntegration && <Snippets />}
    </Page>
  );
}
