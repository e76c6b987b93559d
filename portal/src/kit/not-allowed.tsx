import { Alert } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** Shown instead of controls that the user's role does not allow. */
export function NotAllowed({ children }: { children: ReactNode }) {
  return (
    <Alert color="gray" icon={<IconLock size={18} />}>
      {children}
    </Alert>
  );
}
