import { Card, Text, Title } from '@mantine/core';
import { Code } from '../kit/code.tsx';
import { useMessages } from '../messages/use-messages.ts';

const receiver = `import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.SIGNING_SECRET);

// In your HTTP handler, pass the raw body:
const event = webhook.verify(body, {
  'webhook-id': request.headers['webhook-id'],
  'webhook-timestamp': request.headers['webhook-timestamp'],
  'webhook-signature': request.headers['webhook-signature'],
});
// Respond with a 2xx status within 10 seconds, then process the event.`;

export function VerifyCard() {
  const t = useMessages();
  return (
    <Card>
      <Title order={2}>{t('webhooks.receiving')}</Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('webhooks.receivingHelp')}
      </Text>
      <Code label={t('webhooks.verify')} language="typescript" text={receiver} />
    </Card>
  );
}
