import { ActionIcon, Button, Kbd } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
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
  const [typed, setTyped] = useState('');
  const lastFocused = useRef<Element>(null);
  const open = () => {
    lastFocused.current = document.activeElement;
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    setTyped('');
    show();
  };
  useEffect(() => {
    if (!isOpen && lastFocused.current instanceof HTMLElement) lastFocused.current.focus({ preventScroll: true });
  }, [isOpen]);
  useEffect(() => {
    if (!isOpen) return undefined;
    // Until the field has the focus, the letters that are typed would be lost.
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.target instanceof HTMLInputElement || !isCharacter(event)) return;
      event.preventDefault();
      setTyped((before) => before + event.key);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [isOpen]);
  useHotkeys([['mod+K', () => !isOpen && open()]], []);
  useHotkeys([['/', () => !isOpen && open()]], ['INPUT', 'TEXTAREA', 'SELECT']);
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
          <Palette typed={typed} onType={setTyped} onClose={close} />
        </Suspense>
      )}
    </>
  );
}

function isCharacter({ key, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent): boolean {
  return key.length === 1 && !ctrlKey && !metaKey && !altKey && !isComposing;
}
