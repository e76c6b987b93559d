import { useLocalStorage } from '@mantine/hooks';
import { useSession } from '../api/session.tsx';

/** Whether the user has dismissed the checklist in this browser. */
export function useDismissed(): [isDismissed: boolean, setDismissed: (isDismissed: boolean) => void] {
  const { user } = useSession();
  const [value, setValue] = useLocalStorage({
    key: `aisle-checklist-dismissed-${user.user_id}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  return [value, setValue];
}
