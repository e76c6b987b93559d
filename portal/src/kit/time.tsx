import { Text, Tooltip } from '@mantine/core';
import { ago, when } from './format.ts';

/** How long ago, with the exact time on hover. */
export function Time({ at, never = 'never' }: { at: string | null | undefined; never?: string }) {
  if (!at)
    return (
      <Text c="dimmed" size="sm">
        {never}
      </Text>
    );
  return (
    <Tooltip label={when(at)}>
      <Text size="sm" component="time" dateTime={at} style={{ whiteSpace: 'nowrap' }}>
        {ago(at)}
      </Text>
    </Tooltip>
  );
}
