import '@mantine/notifications/styles.css';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { RouterProvider } from '@tanstack/react-router';
import { createPortalRouter } from './router.tsx';

const router = createPortalRouter();

/** Everything but the sign-in page, which has to load fast. */
export function Portal() {
  return (
    <ModalsProvider>
      <Notifications position="top-center" />
      <RouterProvider router={router} />
    </ModalsProvider>
  );
}
