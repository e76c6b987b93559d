import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';

type Question = { title: string; text: string; action: string; isHarmless?: boolean; onConfirm(): void };

/** Before something that cannot be undone, or that many people will notice. */
export function confirm({ title, text, action, isHarmless = false, onConfirm }: Question): void {
  modals.openConfirmModal({
    title,
    children: <Text size="sm">{text}</Text>,
    labels: { confirm: action, cancel: 'Keep' },
    confirmProps: isHarmless ? {} : { color: 'red.8' },
    size: 'md',
    onConfirm,
  });
}
