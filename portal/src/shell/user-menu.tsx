import { ActionIcon, Menu, Text } from '@mantine/core';
import { IconBook, IconLogout, IconUser, IconUserCircle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useSession, useSignOut } from '../api/session.tsx';
import { humanize } from '../kit/format.ts';
import { LanguageItems } from '../kit/language-menu.tsx';
import { SchemeItem } from '../kit/scheme-toggle.tsx';
import { useMessages } from '../messages/use-messages.ts';

export function UserMenu() {
  const t = useMessages();
  const { user } = useSession();
  const signOut = useSignOut();
  return (
    // In the header, because content outside of the landmarks of a page is hard to find with a screen reader.
    <Menu width={230} position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label={t('shell.account')}>
          <IconUserCircle size={18} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)">
            {user.name}
          </Text>
          <Text size="xs">{user.email}</Text>
          <Text size="xs">{humanize(user.role)}</Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item component={Link} to="/settings/account" leftSection={<IconUser size={16} />}>
          {t('shell.yourAccount')}
        </Menu.Item>
        <Menu.Item component="a" href="/docs" target="_blank" leftSection={<IconBook size={16} />}>
          {t('shell.documentation')}
        </Menu.Item>
        <SchemeItem />
        <Menu.Divider />
        <LanguageItems />
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void signOut()}>
          {t('shell.signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
