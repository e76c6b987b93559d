/** Alerts and webhooks in the operator console. */
export const consoleAlerts = {
  'console.openAlerts': { one: '{count} open alert', other: '{count} open alerts' },
  'console.endedAlerts': 'Alerts that ended in the last {24} hours',
  'console.alertSince': 'started',
  'console.alert.store': {
    one: '{store} ({chain}): the store is silent, and {count} order is waiting',
    other: '{store} ({chain}): the store is silent, and {count} orders are waiting',
  },
  'console.alert.endpoint': '{chain}: the webhook {url} fails',
  'console.alert.platformEndpoint': 'The webhook {url} of the platform fails',
  'console.alert.deliveries': {
    one: '{count} webhook delivery is not sent in time',
    other: '{count} webhook deliveries are not sent in time',
  },
  'console.alert.tasks': {
    one: '{count} background task is not run in time',
    other: '{count} background tasks are not run in time',
  },
  'console.webhooks': 'Webhooks',
  'console.webhooksAbout':
    'Where the events of all chains are sent for the platform, such as its storefront or its on-call tool.',
  'console.eventTypes': 'Events',
  'console.description': 'Description',
  'console.pingFailed': 'Ping failed',
} as const;
