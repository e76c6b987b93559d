import { pathOf } from './route.ts';

export function canAskForNotifications(): boolean {
  return 'Notification' in window && Notification.permission === 'default';
}

export function notificationState(): 'unavailable' | NotificationPermission {
  return 'Notification' in window ? Notification.permission : 'unavailable';
}

/** Shows a notification if the user has allowed it and is not looking at the app. */
export function notifyNewOrder(title: string, orderId: string): void {
  if (!document.hidden || notificationState() !== 'granted') return;
  const options = { tag: orderId, icon: '/pick/icon-192.png', data: pathOf({ name: 'order', orderId }) };
  // On phones, only the service worker can show notifications.
  void navigator.serviceWorker?.ready.then((worker) => worker.showNotification(title, options));
}
