import '@mantine/dates/styles.css';
import '@mantine/charts/styles.css';
import '@mantine/notifications/styles.css';
import 'dayjs/locale/ar';
import { DatesProvider } from '@mantine/dates';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { RouterProvider } from '@tanstack/react-router';
import { useLanguage } from './messages/language.ts';
import { createPortalRouter } from './router.tsx';

const router = createPortalRouter();

/** Everything but the sign-in page, which has to load fast. */
export function Portal() {
  const { language } = useLanguage();
  return (
    <DatesProvider settings={{ locale: language }}>
      <ModalsProvider>
        <Notifications position="top-center" />
        <RouterProvider router={router} />
      </ModalsProvider>
    </DatesProvider>
  );
}
