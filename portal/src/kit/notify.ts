import { notifications } from '@mantine/notifications';

export function notifyDone(message: string): void {
  notifications.show({ message, color: 'aisle', withBorder: true });
}
