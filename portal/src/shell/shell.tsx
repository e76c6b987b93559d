import { AppShell, Burger, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet } from '@tanstack/react-router';
import { useSession } from '../api/session.tsx';
import { Navigation } from './navigation-bar.tsx';
import { SchemeToggle } from './scheme-toggle.tsx';
import { StoreProvider } from './store.tsx';
import { StoreSwitcher } from './store-switcher.tsx';
import { UserMenu } from './user-menu.tsx';

/** What surrounds every page. */
export function Shell() {
  const { chain } = useSession();
  const [isOpen, { toggle, close }] = useDisclosure(false);
  return (
    <StoreProvider>
      <a className="skip-link" href="#content">
        Skip to the content
      </a>
      <AppShell
        header={{ height: 56 }}
        navbar={{ width: 220, breakpoint: 'md', collapsed: { mobile: !isOpen } }}
        padding={{ base: 'md', lg: 'xl' }}
      >
        <AppShell.Header px="md">
          <Group h="100%" justify="space-between" wrap="nowrap">
            <Group gap="sm" wrap="nowrap">
              <Burger opened={isOpen} onClick={toggle} hiddenFrom="md" size="sm" aria-label="Navigation" />
              <Brand />
              <Text size="sm" c="dimmed" visibleFrom="sm" truncate>
                {chain.name}
              </Text>
            </Group>
            <Group gap="xs" wrap="nowrap">
              <StoreSwitcher />
              <SchemeToggle />
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
    </StoreProvider>
  );
}

export function Brand() {
  return (
    <Group
      gap={8}
      wrap="nowrap"
      renderRoot={(props) => <Link to="/" {...props} style={{ textDecoration: 'none', color: 'inherit' }} />}
    >
      <img src="/portal/favicon.svg" width={26} height={26} alt="" />
      <Text fw={700} size="lg">
        Aisle
      </Text>
    </Group>
  );
}
