import { Card, Text, Title } from '@mantine/core';
import { Code } from '../kit/code.tsx';

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
  return (
    <Card>
      <Title order={2}>Receiving webhooks</Title>
      <Text size="sm" c="dimmed" mb="sm">
        Messages are signed as defined by Standard Webhooks. Failed deliveries are retried twelve times over almost
        three days. All deliveries of an event have the same id, so you can detect duplicates.
      </Text>
      <Code label="Verify a signature" language="typescript" text={receiver} />
    </Card>
  );
}
