import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { currentLanguage } from '../messages/language.ts';

type Question = { title: string; text: string; action: string; isHarmless?: boolean; onConfirm(): void };

/** Asks for confirmation before an action that cannot be undone or that affects many people. */
export function confirm({ title, text, action, isHarmless = false, onConfirm }: Question): void {
  modals.openConfirmModal({
    title,
    children: <Text size="sm">{text}</Text>,
    labels: { confirm: action, cancel: currentLanguage().t('kit.cancel') },
    confirmProps: isHarmless ? {} : { color: 'red.8' },
    size: 'md',
    onConfirm,
  });
}
