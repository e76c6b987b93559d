import { Box, Group, Menu, Stack, Text } from '@mantine/core';
import {
  IconBuildingStore,
  IconGauge,
  IconHistory,
  IconLifebuoy,
  IconPlus,
  IconUser,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { recordSignedIn } from '../api/signed-in.ts';
import { AccountMenu } from '../kit/account-menu.tsx';
import { HeaderBar, NavigationFrame, NavigationItem } from '../kit/navigation-frame.tsx';
import { SchemeToggle } from '../kit/scheme-toggle.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { callPlatform, consoleSessionKey, useAllowed, useConsoleSession } from './api.ts';
import { PlainLink } from './links.tsx';

/** The layout around every page of the console. */
export function Frame() {
  const t = useMessages();
  return (
    <NavigationFrame
      header={(menu) => (
        <HeaderBar>
          <Group gap="sm" wrap="nowrap">
            {menu}
            <PlainLink to="/" style={{ textDecoration: 'none', color: 'inherit' }}>
              <Group gap={8} wrap="nowrap">
                <img src="/portal/favicon.svg" width={26} height={26} alt="" />
                <Text fw={700} size="lg">
                  {t('console.title')}
                </Text>
              </Group>
            </PlainLink>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <Box visibleFrom="sm">
              <SchemeToggle />
            </Box>
            <UserMenu />
          </Group>
        </HeaderBar>
      )}
      navigation={(onChosen) => <Navigation onChosen={onChosen} />}
    >
      <Outlet />
    </NavigationFrame>
  );
}

const links = [
  { to: '/', label: 'console.overview', icon: IconGauge },
  { to: '/support', label: 'console.support', icon: IconLifebuoy },
  { to: '/chains', label: 'console.chains', icon: IconBuildingStore },
  { to: '/onboard', label: 'console.onboard', icon: IconPlus, needs: 'platformCreateChain' },
  { to: '/webhooks', label: 'console.webhooks', icon: IconWebhook },
  { to: '/audit', label: 'console.audit', icon: IconHistory },
  { to: '/users', label: 'console.users', icon: IconUsers, needs: 'platformListConsoleUsers' },
] as const;

function Navigation({ onChosen }: { onChosen(): void }) {
  const t = useMessages();
  const isAllowed = useAllowed();
  const shown = links.filter((link) => !('needs' in link) || isAllowed(link.needs));
  return (
    <Stack gap={2}>
      {shown.map(({ to, label, icon }) => (
        <NavigationItem
          key={to}
          label={t(label)}
          icon={icon}
          onChosen={onChosen}
          link={(props) => <PlainLink to={to} activeOptions={{ exact: to === '/' }} {...props} />}
        />
      ))}
    </Stack>
  );
}

function UserMenu() {
  const t = useMessages();
  const { user } = useConsoleSession();
  const client = useQueryClient();
  const signOut = async () => {
    await callPlatform('consoleSignOut', {}).catch(() => {});
    recordSignedIn(false, 'console');
    client.clear();
    client.setQueryData(consoleSessionKey, null);
  };
  return (
    <AccountMenu user={user} onSignOut={() => void signOut()}>
      <Menu.Item leftSection={<IconUser size={16} />} renderRoot={(props) => <PlainLink to="/account" {...props} />}>
        {t('shell.yourAccount')}
      </Menu.Item>
    </AccountMenu>
  );
}
