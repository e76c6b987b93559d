import { Button, Group } from '@mantine/core';

/** The last row of a form in a dialog. */
export function FormButtons({ submit, isPending, onClose }: { submit: string; isPending: boolean; onClose(): void }) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onClose}>
        Cancel
      </Button>
      <Button type="submit" loading={isPending}>
        {submit}
      </Button>
    </Group>
  );
}
