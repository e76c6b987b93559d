import { Badge } from '@mantine/core';
import { useMessages } from '../messages/use-messages.ts';

type HttpStatusProps = { status: number; isAborted: boolean };

/** The status code as text with a colored dot. */
export function HttpStatus({ status, isAborted }: HttpStatusProps) {
  const t = useMessages();
  return (
    <Badge variant="dot" color={colorOf(status, isAborted)} radius="sm" tt="none" fw={500} miw="max-content">
      {isAborted ? t('requests.aborted', { status: String(status) }) : status}
    </Badge>
  );
}

function colorOf(status: number, isAborted: boolean): string {
  if (status >= 500) return 'red';
  if (status >= 400 || isAborted) return 'orange';
  return status >= 300 ? 'blue' : 'teal';
}
