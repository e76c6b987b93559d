import { Badge } from '@mantine/core';
import { humanize } from './format.ts';
import { Moment } from './time.tsx';

/** A status as text with a colored dot. The text makes it readable without color. */
export function State({ value, color = colors[value] ?? 'gray.6' }: { value: string; color?: string | undefined }) {
  return (
    <Badge variant="dot" color={color} radius="sm" tt="none" fw={500} miw="max-content">
      {humanize(value)}
    </Badge>
  );
}

/** A job that waits for its time. */
export function Scheduled({ at }: { at: string }) {
  return (
    <>
      <State value="SCHEDULED" /> <Moment at={at} />
    </>
  );
}

const colors: Record<string, string> = {
  QUEUED: 'gray.6',
  IN_PROGRESS: 'blue',
  COMPLETED: 'teal',
  COMPLETED_WITH_FAILURES: 'orange',
  SCHEDULED: 'blue',
  NOT_APPLIED: 'orange',
  PREVIEW: 'orange',
  FAILED: 'red',
  UNFINISHED: 'gray.6',
  ACTIVE: 'teal',
  INACTIVE: 'gray.6',
  OWNER: 'violet',
  MANAGER: 'blue',
  VIEWER: 'gray.6',
  RECEIVED: 'blue',
  READY_FOR_PICKUP: 'cyan',
  DISPATCHED: 'violet',
  DELIVERED: 'teal',
  PICKED_UP: 'teal',
  CANCELLED: 'red',
  NOT_PROCESSED: 'gray.6',
  IN_CART: 'teal',
  NOT_FOUND: 'red',
  REPLACED: 'orange',
  ADDITION: 'blue',
  PENDING: 'blue',
  EXHAUSTED: 'red',
  ENABLED: 'teal',
  DISABLED: 'red',
  FAILING: 'red',
  PASSED: 'teal',
  SKIPPED: 'gray.6',
  STOPPED: 'gray.6',
  UPCOMING: 'blue',
  RUNNING: 'teal',
  ENDED: 'gray.6',
  OPEN: 'teal',
  CLOSED: 'red',
  PAUSED: 'orange',
  CLOSED_TODAY: 'orange',
  CLOSED_UNTIL: 'orange',
};
