import { Card, Text, Title } from '@mantine/core';
import { Code } from '../kit/code.tsx';

const receiver = `import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.SIGNING_SECRET);

// In your HTTP handler, with the body as it came:
const event = webhook.verify(body, {
  'webhook-id': request.headers['webhook-id'],
  'webhook-timestamp': request.headers['webhook-timestamp'],
  'webhook-signature': request.headers['webhook-signature'],
});
// Response any 2xx within 10 seconds; do the work afterwards.`;

export function VerifyCard() {
  return (
    <Card>
      <Title order={2}>Receiving</Title>
      <Text size="sm" c="dimmed" mb="sm">
        Every message is signed after Standard Webhooks. A delivery that fails is tried again, thirteen times over three
        days; the same event always has the same id, so what comes twice can be recognised.
      </Text>
      <Code label="Verify a message" language="typescript" text={receiver} />
    </Card>
  );
}
