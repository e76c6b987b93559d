import { Anchor, Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../api/hooks.ts';
import { usePermission } from '../api/session.tsx';
import { StoreList } from '../identity/store-picker.tsx';
import { Copyable } from '../kit/copy.tsx';
import { type Column, DataTable, pagingOf } from '../kit/data-table.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { RowLink } from '../kit/link.tsx';
import { Page } from '../kit/page.tsx';
import { Time } from '../kit/time.tsx';
import { Rich } from '../messages/rich.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { listLogins } from './labels.ts';
import { NewSftpUser } from './new-sftp-user.tsx';
import { ServerCard } from './server-card.tsx';
import { SftpUserDrawer } from './sftp-user-drawer.tsx';
import { type SftpUser } from './use-sftp.ts';

export function SftpPage() {
  const t = useMessages();
  const may = usePermission();
  const { open } = useSearch({ from: '/signed-in/integration/sftp' });
  const navigate = useNavigate({ from: '/integration/sftp' });
  const show = (id: string | undefined) =>
    void navigate({ search: (before) => ({ ...before, open: id }), replace: true });
  const [page, setPage] = useState(1);
  const [isCreating, { open: startCreating, close }] = useDisclosure(false);
  const { data } = useRead('listSftpUsers', { query: { page, page_size: 50 } });
  const create = may('createSftpUser') && (
    <Button leftSection={<IconPlus size={16} />} onClick={startCreating}>
      {t('sftp.new')}
    </Button>
  );
  return (
    <Page title={t('sftp.title')} about={<About />} actions={create}>
      <ServerCard username={data?.sftp_users[0]?.username} />
      <DataTable
        label={t('sftp.users')}
        columns={useColumns()}
        rows={data?.sftp_users}
        keyOf={(user) => user.sftp_user_id}
        onOpen={(user) => show(user.sftp_user_id)}
        empty={
          <EmptyState title={t('sftp.none')} action={create}>
            {t('sftp.noneHelp')}
          </EmptyState>
        }
        paging={data && data.total_pages > 1 ? pagingOf(data, page, setPage) : undefined}
        minWidth={640}
      />
      {isCreating && <NewSftpUser onClose={close} />}
      {open && <SftpUserDrawer sftpUserId={open} onClose={() => show(undefined)} />}
    </Page>
  );
}

function About() {
  const t = useMessages();
  return (
    <>
      <Rich
        message="sftp.about"
        values={{
          link: (
            <Anchor href="/docs/sftp" target="_blank" rel="noreferrer" underline="always" c="inherit" inherit>
              {t('sftp.guide')}
            </Anchor>
          ),
        }}
      />
    </>
  );
}

function useColumns(): Column<SftpUser>[] {
  const t = useMessages();
  return [
    {
      head: t('sftp.user'),
      cell: ({ name, sftp_user_id }) => (
        <RowLink from="/integration/sftp" to="." search={(before) => ({ ...before, open: sftp_user_id })}>
          {name}
        </RowLink>
      ),
    },
    {
      head: t('sftp.username'),
      cell: ({ username }) => <Copyable value={username} label={t('sftp.copyUsernameOf', { username })} isWhole />,
    },
    { head: t('sftp.logsInWith'), cell: (user) => <span className="nowrap">{listLogins(t, user)}</span> },
    {
      head: t('sftp.scopes'),
      isExtra: true,
      cell: ({ scopes }) => (
        <Text className="mono" lineClamp={2} maw={300}>
          {scopes.join(', ')}
        </Text>
      ),
    },
    { head: t('sftp.stores'), cell: ({ vendor_ids }) => <StoreList value={vendor_ids} /> },
    { head: t('sftp.lastLogin'), cell: ({ last_login_at }) => <Time at={last_login_at} /> },
  ];
}
