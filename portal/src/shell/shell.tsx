import { AppShell, Box, Group, Text } from '@mantine/core';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useSession } from '../api/session.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { HeaderBar, NavigationFrame } from '../kit/navigation-frame.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { PageLoading } from './fallbacks.tsx';
import { Navigation } from './navigation-bar.tsx';
import { SchemeToggle } from '../kit/scheme-toggle.tsx';
import { StoreProvider } from '../api/store.tsx';
import { PaletteButton } from './palette-button.tsx';
import { StoreSwitcher } from './store-switcher.tsx';
import { OnBehalfBanner } from './on-behalf-banner.tsx';
import { UserMenu } from './user-menu.tsx';

/** The layout around every page, with the header and the navigation. */
export function Shell() {
  const { user } = useSession();
  return user.role === 'PICKER' ? <PickerShell /> : <FullShell />;
}

/** Pickers work in the picking app. Here they only manage their own account. */
function PickerShell() {
  const isAccount = useLocation({ select: ({ pathname }) => pathname === '/settings/account' });
  useEffect(() => {
    if (!isAccount) location.replace('/pick');
  }, [isAccount]);
  return <Frame>{isAccount && <Outlet />}</Frame>;
}

function FullShell() {
  const { is_on_behalf: isOnBehalf } = useSession();
  return (
    <StoreProvider
      waiting={
        <Frame>
          <PageLoading />
        </Frame>
      }
      none={
        <Frame>
          <NoStores />
        </Frame>
      }
    >
      <NavigationFrame
        header={(menu) => (
          <Header
            menu={menu}
            switcher={
              <>
                <StoreSwitcher />
                <PaletteButton />
              </>
            }
          />
        )}
        navigation={(onChosen) => <Navigation onChosen={onChosen} />}
      >
        {isOnBehalf && <OnBehalfBanner />}
        <Outlet />
      </NavigationFrame>
    </StoreProvider>
  );
}

/** A layout without navigation, because there are no pages to navigate to until a store is available. */
function Frame({ children }: { children: ReactNode }) {
  return (
    <AppShell header={{ height: 56 }} padding={{ base: 'md', lg: 'xl' }}>
      <Header />
      <AppShell.Main>
        <div className="page">{children}</div>
      </AppShell.Main>
    </AppShell>
  );
}

function Header({ menu, switcher }: { menu?: ReactNode; switcher?: ReactNode }) {
  const { chain } = useSession();
  return (
    <HeaderBar>
      <Group gap="sm" wrap="nowrap" miw={0} maw="45%" style={{ flexShrink: 0 }}>
        {menu}
        <Brand isHiddenOnPhones={menu !== undefined} />
        <Text size="sm" c="dimmed" visibleFrom="sm" truncate title={chain.name}>
          {chain.name}
        </Text>
      </Group>
      <Group gap="xs" wrap="nowrap" justify="flex-end" miw={0} style={{ flex: 1 }}>
        {switcher}
        <Box visibleFrom="sm">
          <SchemeToggle />
        </Box>
        <UserMenu />
      </Group>
    </HeaderBar>
  );
}

function NoStores() {
  const t = useMessages();
  return <EmptyState title={t('shell.noStores')}>{t('shell.noStoresHelp')}</EmptyState>;
}

/** Phones have no space for it next to the store switcher. */
function Brand({ isHiddenOnPhones }: { isHiddenOnPhones: boolean }) {
  return (
    <Group
      gap={8}
      wrap="nowrap"
      {...(isHiddenOnPhones && { visibleFrom: 'sm' })}
      renderRoot={(props) => (
        <Link to="/" aria-label="Aisle" {...props} style={{ textDecoration: 'none', color: 'inherit' }} />
      )}
    >
      <img src="/portal/favicon.svg" width={26} height={26} alt="" />
      <Text fw={700} size="lg" visibleFrom="sm">
        Aisle
      </Text>
    </Group>
  );
}
