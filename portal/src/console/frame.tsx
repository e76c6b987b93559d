import { ActionIcon, AppShell, Box, Burger, Group, Menu, NavLink, ScrollArea, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconBuildingStore,
  IconGauge,
  IconHistory,
  IconLifebuoy,
  IconLogout,
  IconPlus,
  IconUser,
  IconUserCircle,
  IconUsers,
} from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { recordSignedIn } from '../api/signed-in.ts';
import { humanize } from '../kit/format.ts';
import { LanguageItems } from '../kit/language-menu.tsx';
import { SchemeItem, SchemeToggle } from '../kit/scheme-toggle.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { callPlatform, consoleSessionKey, useAllowed, useConsoleSession } from './api.ts';
import { PlainLink } from './links.tsx';

/** The layout around every page of the console. */
export function Frame() {
  const t = useMessages();
  const [isOpen, { toggle, close }] = useDisclosure(false);
  return (
    <>
      <a className="skip-link" href="#content">
        {t('shell.skip')}
      </a>
      <AppShell
        header={{ height: 56 }}
        navbar={{ width: 220, breakpoint: 'md', collapsed: { mobile: !isOpen } }}
        padding={{ base: 'md', lg: 'xl' }}
      >
        <AppShell.Header className="header">
          <Group h="100%" justify="space-between" wrap="nowrap" gap="xs">
            <Group gap="sm" wrap="nowrap">
              <Burger opened={isOpen} onClick={toggle} hiddenFrom="md" size="sm" aria-label={t('shell.navigation')} />
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
          </Group>
        </AppShell.Header>
        <AppShell.Navbar p="sm">
          <Navigation onChosen={close} />
        </AppShell.Navbar>
        <AppShell.Main id="content">
          <div className="page">
            <Outlet />
          </div>
        </AppShell.Main>
      </AppShell>
    </>
  );
}

const links = [
  { to: '/', label: 'console.overview', icon: IconGauge },
  { to: '/support', label: 'console.support', icon: IconLifebuoy },
  { to: '/chains', label: 'console.chains', icon: IconBuildingStore },
  { to: '/onboard', label: 'console.onboard', icon: IconPlus, needs: 'platformCreateChain' },
  { to: '/audit', label: 'console.audit', icon: IconHistory },
  { to: '/users', label: 'console.users', icon: IconUsers, needs: 'platformListConsoleUsers' },
] as const;

function Navigation({ onChosen }: { onChosen(): void }) {
  const t = useMessages();
  const isAllowed = useAllowed();
  const shown = links.filter((link) => !('needs' in link) || isAllowed(link.needs));
  return (
    <ScrollArea type="never" component="nav" aria-label={t('shell.pages')}>
      <Stack gap={2}>
        {shown.map(({ to, label, icon: Icon }) => (
          <NavLink
            key={to}
            className="nav-link"
            label={t(label)}
            leftSection={<Icon size={18} stroke={1.6} aria-hidden />}
            style={{ borderRadius: 8 }}
            py={6}
            onClick={onChosen}
            renderRoot={(props) => <PlainLink to={to} activeOptions={{ exact: to === '/' }} {...props} />}
          />
        ))}
      </Stack>
    </ScrollArea>
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
    <Menu width={230} position="bottom-end">
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
        <Menu.Item leftSection={<IconUser size={16} />} renderRoot={(props) => <PlainLink to="/account" {...props} />}>
          {t('shell.yourAccount')}
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
