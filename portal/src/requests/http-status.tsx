import { Badge } from '@mantine/core';

type HttpStatusProps = { status: number; isAborted: boolean };

/** The status code as text with a colored dot. */
export function HttpStatus({ status, isAborted }: HttpStatusProps) {
  return (
    <Badge variant="dot" color={colorOf(status, isAborted)} radius="sm" tt="none" fw={500} miw="max-content">
      {status}
      {isAborted && ' aborted'}
    </Badge>
  );
}

function colorOf(status: number, isAborted: boolean): string {
  if (status >= 500) return 'red';
  if (status >= 400 || isAborted) return 'orange';
  return status >= 300 ? 'blue' : 'teal';
}
