import { Button, Group } from '@mantine/core';
import { useMessages } from '../messages/use-messages.ts';

/** The last row of a form in a dialog. */
export function FormButtons({ submit, isPending, onClose }: { submit: string; isPending: boolean; onClose(): void }) {
  const t = useMessages();
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onClose} disabled={isPending}>
        {t('kit.cancel')}
      </Button>
      <Button type="submit" loading={isPending}>
        {submit}
      </Button>
    </Group>
  );
}
