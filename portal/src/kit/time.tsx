import { Text, Tooltip } from '@mantine/core';
import { useMessages } from '../messages/use-messages.ts';
import { formatDateTime, formatRecentTime, formatShortDateTime } from './format.ts';

/** A relative time, or a date and time, with the full time on hover. */
export function Time({ at, never }: { at: string | null | undefined; never?: string }) {
  const t = useMessages();
  if (!at)
    return (
      <Text c="dimmed" size="sm" className="nowrap">
        {never ?? t('kit.never')}
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
