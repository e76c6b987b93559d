import { Text, Tooltip } from '@mantine/core';
import { formatDateTime, formatRecentTime, formatShortDateTime } from './format.ts';

/** A relative time, or a date and time, with the full time on hover. */
export function Time({ at, never = 'Never' }: { at: string | null | undefined; never?: string }) {
  if (!at)
    return (
      <Text c="dimmed" size="sm" className="nowrap">
        {never}
      </Text>
    );
  return (
    <Tooltip label={formatDateTime(at)}>
      <Text size="sm" component="time" dateTime={at} style={{ whiteSpace: 'nowrap' }}>
        {formatRecentTime(at)}
      </Text>
    </Tooltip>
  );
}

/** A date and time, with the year and time zone on hover. */
export function Moment({ at }: { at: string }) {
  return (
    <Tooltip label={formatDateTime(at)}>
      <Text size="sm" component="time" dateTime={at} className="nowrap">
        {formatShortDateTime(at)}
      </Text>
    </Tooltip>
  );
}
