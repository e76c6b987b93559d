import { Alert } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** In the place of what the person's role may not do: who may. */
export function NotAllowed({ children }: { children: ReactNode }) {
  return (
    <Alert color="gray" icon={<IconLock size={18} />}>
      {children}
    </Alert>
  );
}
