import { CloseButton, Modal, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useMessages } from '../messages/use-messages.ts';
import { moveIndex, type PaletteEntry, type PaletteGroup } from './palette-entries.ts';
import classes from './palette.module.css';
import { usePaletteGroups } from './use-palette-groups.ts';

/**
 * Searches pages, orders, products, jobs and stores. A combobox with a list box, as in the ARIA patterns: the focus
 * stays in the field, and the arrow keys move the active option.
 */
export function Palette({ typed, onType, onClose }: { typed: string; onType(typed: string): void; onClose(): void }) {
  const t = useMessages();
  const listId = useId();
  const [index, setIndex] = useState(0);
  const [term] = useDebouncedValue(typed.trim(), 150);
  const { groups, isSearching } = usePaletteGroups(term);
  const entries = groups.flatMap((group) =>
    group.entries.map((entry) => ({ entry, key: optionId(listId, group, entry) })),
  );
  const active = entries[Math.min(index, entries.length - 1)];
  const choose = (entry: PaletteEntry | undefined) => {
    if (!entry) return;
    onClose();
    entry.open();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Keys that confirm the input of an input method belong to it.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') setIndex(moveIndex(index, 1, entries.length));
    else if (event.key === 'ArrowUp') setIndex(moveIndex(index, -1, entries.length));
    else if (event.key === 'Enter') choose(active?.entry);
    else return;
    event.preventDefault();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={<VisuallyHidden>{t('palette.title')}</VisuallyHidden>}
      withCloseButton={false}
      centered={false}
      padding={0}
      size="lg"
      yOffset="10vh"
      styles={{ header: { minHeight: 0, padding: 0 } }}
    >
      <TextInput
        role="combobox"
        aria-label={t('palette.title')}
        aria-expanded
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={active?.key}
        placeholder={t('palette.placeholder')}
        leftSection={<IconSearch size={18} aria-hidden />}
        rightSection={
          <CloseButton size="lg" iconSize={18} aria-label={t('kit.closeDialog')} onClick={onClose} hiddenFrom="sm" />
        }
        size="lg"
        variant="unstyled"
        value={typed}
        onChange={(event) => {
          onType(event.currentTarget.value);
          setIndex(0);
        }}
        onKeyDown={onKeyDown}
        className={classes['field']}
        data-autofocus
      />
      <Options id={listId} groups={groups} active={active?.key} onChoose={choose} />
      <Text size="xs" c="dimmed" className={classes['foot']}>
        <span role="status">{statusText(t, entries.length, isSearching || term !== typed.trim())}</span>
        <span aria-hidden className={classes['hint']}>
          {t('palette.hint')}
        </span>
      </Text>
    </Modal>
  );
}

type OptionsProps = {
  id: string;
  groups: PaletteGroup[];
  active: string | undefined;
  onChoose(entry: PaletteEntry): void;
};

function Options({ id, groups, active, onChoose }: OptionsProps) {
  const t = useMessages();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div ref={list} id={id} role="listbox" aria-label={t('palette.title')} className={classes['list']}>
      {groups.map((group) => (
        <div key={group.id} role="group" aria-label={group.label}>
          <Text size="xs" fw={600} c="dimmed" px="md" pt="sm" pb={4} aria-hidden>
            {group.label}
          </Text>
          {group.entries.map((entry) => {
            const key = optionId(id, group, entry);
            const { icon: Icon, label, about } = entry;
            return (
              <div
                key={key}
                id={key}
                role="option"
                aria-selected={key === active}
                className={classes['option']}
                onClick={() => onChoose(entry)}
              >
                <Icon size={18} stroke={1.6} aria-hidden />
                <span className={`${classes['label']} own-direction`} dir="auto">
                  {label}
                </span>
                {about && (
                  <span className={classes['about']}>
                    <bdi>{about}</bdi>
                  </span>
                )}
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}

function statusText(t: ReturnType<typeof useMessages>, count: number, isSearching: boolean): string {
  if (count > 0) return t('palette.results', { count });
  return isSearching ? t('palette.searching') : t('palette.nothing');
}

function optionId(listId: string, group: PaletteGroup, entry: PaletteEntry): string {
  return `${listId}-${group.id}-${encodeURIComponent(entry.id)}`;
}
