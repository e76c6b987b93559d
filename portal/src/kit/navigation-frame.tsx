import { AppShell, Burger, Group, NavLink, Overlay, ScrollArea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ComponentType, ReactElement, ReactNode } from 'react';
import { useMessages } from '../messages/use-messages.ts';

type FrameProps = {
  /** The header, with the button that opens the navigation on phones. */
  header(menu: ReactNode): ReactNode;
  /** The links. Choosing one closes the navigation on phones. */
  navigation(onChosen: () => void): ReactNode;
  children: ReactNode;
};

/** The layout around every page of the portal and of the console. */
export function NavigationFrame({ header, navigation, children }: FrameProps) {
  const t = useMessages();
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const menu = <Burger opened={isOpen} onClick={toggle} hiddenFrom="md" size="sm" aria-label={t('shell.navigation')} />;
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
        {header(menu)}
        {/* On tablets, the page stays visible beside the navigation. */}
        {isOpen && <Overlay fixed backgroundOpacity={0.4} zIndex={100} hiddenFrom="md" onClick={close} />}
        <AppShell.Navbar p="sm" maw={{ base: '100%', xs: 300 }}>
          <ScrollArea type="never" component="nav" aria-label={t('shell.pages')}>
            {navigation(close)}
          </ScrollArea>
        </AppShell.Navbar>
        <AppShell.Main id="content">
          <div className="page">{children}</div>
        </AppShell.Main>
      </AppShell>
    </>
  );
}

type ItemProps = {
  label: string;
  icon: ComponentType<{ size: number; stroke: number; 'aria-hidden': true }>;
  onChosen(): void;
  /** The link of the router. */
  link(props: object): ReactElement;
};

export function NavigationItem({ label, icon: Icon, onChosen, link }: ItemProps) {
  return (
    <NavLink
      className="nav-link"
      label={label}
      leftSection={<Icon size={18} stroke={1.6} aria-hidden />}
      style={{ borderRadius: 8 }}
      py={6}
      onClick={onChosen}
      renderRoot={link}
    />
  );
}

export function HeaderBar({ children }: { children: ReactNode }) {
  return (
    // Above the navigation, so that it does not cover the menus of the header on phones.
    <AppShell.Header className="header" zIndex={102}>
      <Group h="100%" justify="space-between" wrap="nowrap" gap="xs">
        {children}
      </Group>
    </AppShell.Header>
  );
}
