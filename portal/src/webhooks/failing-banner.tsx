import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useStore } from '../api/store.tsx';
import { formatSince } from '../kit/format.ts';
import { InlineLink } from '../kit/link.tsx';
import { failingSince } from './describe.ts';
import { useWebhooks } from './use-webhooks.ts';

/** Warns about webhooks whose messages fail. Shows nothing if there are none. */
export function FailingBanner() {
  const { stores } = useStore();
  const failing = (useWebhooks() ?? []).flatMap((webhook) => {
    const since = failingSince(webhook);
    const store = stores.find(({ vendor_id }) => vendor_id === webhook.vendor_id);
    return since === null ? [] : [{ webhook, since, owner: store?.name ?? 'the chain' }];
  });
  return failing.map(({ webhook, since, owner }) => (
    <Alert
      key={webhook.webhook_id}
      color="red"
      role="status"
      icon={<IconAlertTriangle />}
      title={`Failing since ${formatSince(since)}`}
    >
      No attempt to send a message to the webhook of {owner} has succeeded since then. Messages are retried for almost
      three days. <InlineLink to="/integration/deliveries">View deliveries</InlineLink>
    </Alert>
  ));
}
