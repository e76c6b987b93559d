import { ActionIcon, Menu, Tooltip, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconMoon, IconSun } from '@tabler/icons-react';
import { useMessages } from '../messages/use-messages.ts';

export function SchemeToggle() {
  const { Icon, label, toggle } = useSchemeToggle();
  return (
    <Tooltip label={label}>
      <ActionIcon variant="default" size="lg" aria-label={label} onClick={toggle}>
        <Icon size={18} stroke={1.6} />
      </ActionIcon>
    </Tooltip>
  );
}

/** The same as an item of a menu, on phones, where the header has no space for the button. */
export function SchemeItem() {
  const { Icon, label, toggle } = useSchemeToggle();
  return (
    <Menu.Item hiddenFrom="sm" leftSection={<Icon size={16} />} onClick={toggle}>
      {label}
    </Menu.Item>
  );
}

function useSchemeToggle() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const other = scheme === 'dark' ? 'light' : 'dark';
  const Icon = scheme === 'dark' ? IconSun : IconMoon;
  const label = useMessages()(other === 'dark' ? 'kit.darkMode' : 'kit.lightMode');
  return { Icon, label, toggle: () => setColorScheme(other) };
}
