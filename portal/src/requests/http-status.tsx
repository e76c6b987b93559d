import { Badge } from '@mantine/core';

type HttpStatusProps = { status: number; isAborted: boolean };

/** The status as text with a coloured dot. */
export function HttpStatus({ status, isAborted }: HttpStatusProps) {
  return (
    <Badge variant="dot" color={colourOf(status, isAborted)} radius="sm" tt="none" fw={500} miw="max-content">
      {status}
      {isAborted && ' aborted'}
    </Badge>
  );
}

function colourOf(status: number, isAborted: boolean): string {
  if (status >= 500) return 'red';
  if (status >= 400 || isAborted) return 'orange';
  return status >= 300 ? 'blue' : 'teal';
}
