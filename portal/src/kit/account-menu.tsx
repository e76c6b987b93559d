import { ActionIcon, Menu, Text } from '@mantine/core';
import { IconLogout, IconUserCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useMessages } from '../messages/use-messages.ts';
import { humanize } from './format.ts';
import { LanguageItems } from './language-menu.tsx';
import { SchemeItem } from './scheme-toggle.tsx';

type MenuProps = {
  user: { name: string; email: string; role: string };
  /** The items for pages. */
  children: ReactNode;
  onSignOut(): void;
};

/** The menu of the signed-in user, in the header. */
export function AccountMenu({ user, children, onSignOut }: MenuProps) {
  const t = useMessages();
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
        {children}
        <SchemeItem />
        <Menu.Divider />
        <LanguageItems />
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={onSignOut}>
          {t('shell.signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
