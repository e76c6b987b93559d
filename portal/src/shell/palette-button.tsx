import { ActionIcon, Button, Kbd } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { loadMessages } from '../messages/language.ts';
import { useMessages } from '../messages/use-messages.ts';

/** Loaded when it is first opened. */
const Palette = lazy(async () => {
  const [{ Palette: component }] = await Promise.all([import('./palette.tsx'), loadMessages('pages')]);
  return { default: component };
});

/** Opens the command palette: with this button, with Ctrl-K or ⌘K anywhere, or with a slash outside of fields. */
export function PaletteButton() {
  const t = useMessages();
  const [isOpen, { open: show, close }] = useDisclosure(false);
  const lastFocused = useRef<Element>(null);
  const open = () => {
    lastFocused.current = document.activeElement;
    show();
  };
  useEffect(() => {
    if (!isOpen && lastFocused.current instanceof HTMLElement) lastFocused.current.focus({ preventScroll: true });
  }, [isOpen]);
  useHotkeys([['mod+K', () => !isOpen && open()]], []);
  useHotkeys([['/', open]], ['INPUT', 'TEXTAREA', 'SELECT']);
  const shortcut = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl+K';
  return (
    <>
      <ActionIcon variant="default" size="lg" aria-label={t('shell.search')} onClick={open} hiddenFrom="lg">
        <IconSearch size={18} stroke={1.6} />
      </ActionIcon>
      <Button
        variant="default"
        fw={400}
        leftSection={<IconSearch size={16} stroke={1.6} aria-hidden />}
        rightSection={
          <Kbd size="xs" aria-hidden>
            {shortcut}
          </Kbd>
        }
        onClick={open}
        visibleFrom="lg"
      >
        {t('shell.search')}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <Palette onClose={close} />
        </Suspense>
      )}
    </>
  );
}
