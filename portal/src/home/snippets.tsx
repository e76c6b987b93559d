import { Card, Stack, Tabs, Title } from '@mantine/core';
import { useSession } from '../api/session.tsx';
import { Code } from '../kit/code.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { useStore } from '../api/store.tsx';

/** Commands to copy and paste, with the ids of this chain and store filled in. */
export function Snippets() {
  const t = useMessages();
  const { chain } = useSession();
  const { store } = useStore();
  const base = `${location.origin}/v2/chains/${chain.chain_id}/vendors/${store.vendor_id}`;
  return (
    <Card>
      <Title order={2} mb="xs">
        {t('home.requests')}
      </Title>
      <Tabs defaultValue="curl">
        <Tabs.List mb="sm">
          <Tabs.Tab value="curl">curl</Tabs.Tab>
          <Tabs.Tab value="typescript">TypeScript</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="curl">
          <Stack gap="sm">
            <Code label={t('home.request.list')} language="shell" text={curlList(base)} />
            <Code label={t('home.request.price')} language="shell" text={curlUpdate(base)} />
            <Code label={t('home.request.fulfil')} language="shell" text={curlFulfil(chain.chain_id)} />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="typescript">
          <Code label={t('home.request.both')} language="typescript" text={typescript(base)} />
        </Tabs.Panel>
      </Tabs>
    </Card>
  );
}

function curlList(base: string): string {
  return `curl -H "Authorization: Bearer $TOKEN" \\\n  '${base}/catalog?page_size=3'`;
}

function curlUpdate(base: string): string {
  return `curl -X PUT '${base}/catalog' \\
  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"products": [{"sku": "YOUR-SKU", "price": 4.95}]}'`;
}

function curlFulfil(chainId: string): string {
  return `curl -X PUT "${location.origin}/v2/chains/${chainId}/orders/$ORDER_ID" \\
  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"status": "READY_FOR_PICKUP", "items": [
    {"sku": "YOUR-SKU", "status": "IN_CART", "pricing": {"pricing_type": "UNIT"}}
  ]}'`;
}

function typescript(base: string): string {
  return `const headers = {
  authorization: \`Bearer \${process.env.TOKEN}\`,
  'content-type': 'application/json',
};
const catalog = '${base}/catalog';

const list = await fetch(\`\${catalog}?page_size=3\`, { headers });
const { products } = await list.json();

const [first] = products;
const body = JSON.stringify({ products: [{ sku: first.sku, price: 4.95 }] });
const response = await fetch(catalog, { method: 'PUT', headers, body });
// 200 with the product, or 202 with a job_id if you send several products
const product = await response.json();`;
}
