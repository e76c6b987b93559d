import { Menu } from '@mantine/core';
import { IconBook, IconUser } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useSession, useSignOut } from '../api/session.tsx';
import { AccountMenu } from '../kit/account-menu.tsx';
import { useMessages } from '../messages/use-messages.ts';

export function UserMenu() {
  const t = useMessages();
  const { user } = useSession();
  const signOut = useSignOut();
  return (
    <AccountMenu user={user} onSignOut={() => void signOut()}>
      <Menu.Item component={Link} to="/settings/account" leftSection={<IconUser size={16} />}>
        {t('shell.yourAccount')}
      </Menu.Item>
      <Menu.Item component="a" href="/docs" target="_blank" leftSection={<IconBook size={16} />}>
        {t('shell.documentation')}
      </Menu.Item>
    </AccountMenu>
  );
}
