import { useState } from 'react';
import { DataTable, pagingOf } from '../kit/data-table.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { humanize } from '../kit/format.ts';
import { Page } from '../kit/page.tsx';
import { Time } from '../kit/time.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { useAllowed, usePlatform } from './api.ts';
import { ConsoleButtonLink, ConsoleRowLink, useGo } from './links.tsx';

export function Chains() {
  const t = useMessages();
  const go = useGo();
  const isAllowed = useAllowed();
  const [page, setPage] = useState(1);
  const { data } = usePlatform('platformListChains', { query: { page } });
  return (
    <Page
      title={t('console.chains')}
      about={t('console.chainsAbout')}
      actions={isAllowed('platformCreateChain') && <OnboardButton />}
    >
      <DataTable
        label={t('console.chains')}
        columns={[
          {
            head: t('console.chain'),
            cell: ({ chain_id, name }) => (
              <ConsoleRowLink to="/chains/$chainId" params={{ chainId: chain_id }}>
                {name}
              </ConsoleRowLink>
            ),
          },
          { head: t('console.country'), cell: ({ country_code }) => country_code ?? '' },
          { head: t('console.profile'), cell: ({ profile }) => humanize(profile) },
          { head: t('console.created'), cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
        rows={data?.chains}
        keyOf={(row) => row.chain_id}
        onOpen={(row) => go({ to: '/chains/$chainId', params: { chainId: row.chain_id } })}
        paging={pagingOf(data, page, setPage)}
        empty={<EmptyState title={t('console.noChains')} action={<OnboardButton />} />}
      />
    </Page>
  );
}

function OnboardButton() {
  const t = useMessages();
  return <ConsoleButtonLink to="/onboard">{t('console.onboard')}</ConsoleButtonLink>;
}
