import { Grid, Stack } from '@mantine/core';
import { Page } from '../kit/page.tsx';
import { useSession } from '../api/session.tsx';
import { CatalogTiles } from './catalog-tiles.tsx';
import { Checklist } from './checklist.tsx';
import { RecentJobs } from './recent-jobs.tsx';
import { Snippets } from './snippets.tsx';

/** What is going on, and how to begin. Each part reads for itself, so that a slow one holds up no other. */
export function HomePage() {
  const { user, chain } = useSession();
  return (
    <Page title={chain.name} about={`Good to see you, ${user.name}.`}>
      <CatalogTiles />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <RecentJobs />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Stack>
            <Checklist />
            <Snippets />
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  );
}
