import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useStore } from '../api/store.tsx';
import { formatSince } from '../kit/format.ts';
import { InlineLink } from '../kit/link.tsx';
import { Rich } from '../messages/rich.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { failingSince } from './describe.ts';
import { useWebhooks } from './use-webhooks.ts';

/** Warns about webhooks whose messages fail. Shows nothing if there are none. */
export function FailingBanner() {
  const t = useMessages();
  const { stores } = useStore();
  const failing = (useWebhooks() ?? []).flatMap((webhook) => {
    const since = failingSince(webhook);
    const store = stores.find(({ vendor_id }) => vendor_id === webhook.vendor_id);
    return since === null ? [] : [{ webhook, since, owner: store?.name ?? t('webhooks.theChain') }];
  });
  return failing.map(({ webhook, since, owner }) => (
    <Alert
      key={webhook.webhook_id}
      color="red"
      role="status"
      icon={<IconAlertTriangle />}
      title={t('webhooks.failingSince', { time: formatSince(since) })}
    >
      <Rich
        message="webhooks.failingHelp"
        values={{ owner, link: <InlineLink to="/integration/deliveries">{t('webhooks.viewDeliveries')}</InlineLink> }}
      />
    </Alert>
  ));
}
