import {
  Alert,
  Button,
  Card,
  Grid,
  Group,
  Input,
  SegmentedControl,
  SimpleGrid,
  Stack,
  TextInput,
  Title,
  useMatches,
} from '@mantine/core';
import { IconShoppingCart } from '@tabler/icons-react';
import { useState } from 'react';
import { useChange } from '../api/hooks.ts';
import { usePermission } from '../api/session.tsx';
import { ButtonLink } from '../kit/link.tsx';
import { notifyDone } from '../kit/notify.ts';
import { NotAllowed } from '../kit/not-allowed.tsx';
import { Page } from '../kit/page.tsx';
import { useStore } from '../api/store.tsx';
import { BasketEditor, usePrefilledBasket } from '../catalog/basket.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { OpenOrders } from './open-orders.tsx';

export function SandboxPage() {
  const t = useMessages();
  const may = usePermission();
  const { store } = useStore();
  return (
    <Page title={t('sandbox.title')} about={t('sandbox.about')}>
      {!store.test && <NoTestStore />}
      {store.test && !may('sandboxPlaceOrder') && <NotAllowed>{t('sandbox.readOnly')}</NotAllowed>}
      {store.test && may('sandboxPlaceOrder') && (
        <Grid gap="md">
          <Grid.Col span={{ base: 12, lg: 5 }}>
            <PlaceOrder key={store.vendor_id} />
          </Grid.Col>
          <Grid.Col span={{ base: 12, lg: 7 }}>
            <OpenOrders />
          </Grid.Col>
        </Grid>
      )}
    </Page>
  );
}

function NoTestStore() {
  const t = useMessages();
  const { store, stores, choose } = useStore();
  const other = stores.find(({ test }) => test);
  return (
    <Alert color="yellow" title={t('sandbox.notTestStore', { store: store.name })}>
      <Stack gap="xs" align="flex-start">
        {other ? t('sandbox.realOrders') : t('sandbox.noTestStore')}
        {other ? (
          <Button variant="default" onClick={() => choose(other.vendor_id)}>
            {t('sandbox.switchTo', { store: other.name })}
          </Button>
        ) : (
          <ButtonLink to="/test-order" variant="default">
            {t('testOrder.send')}
          </ButtonLink>
        )}
      </Stack>
    </Alert>
  );
}

type Kind = 'RIDER' | 'STORE' | 'COLLECT';

const kinds = {
  RIDER: { transport_type: 'LOGISTICS_DELIVERY', order_type: 'DELIVERY' },
  STORE: { transport_type: 'VENDOR_DELIVERY', order_type: 'DELIVERY' },
  COLLECT: { transport_type: 'LOGISTICS_DELIVERY', order_type: 'PICKUP' },
} as const;

function PlaceOrder() {
  const t = useMessages();
  const { store } = useStore();
  const [lines, setLines] = usePrefilledBasket(store.vendor_id);
  // On a phone, the three options do not fit next to each other.
  const orientation = useMatches({ base: 'vertical', xs: 'horizontal' } as const);
  const [name, setName] = useState(t('sandbox.sampleName'));
  const [phone, setPhone] = useState('+971500000000');
  const [comment, setComment] = useState('');
  const [kind, setKind] = useState<Kind>(store.transport_type === 'LOGISTICS_DELIVERY' ? 'RIDER' : 'STORE');
  const place = useChange('sandboxPlaceOrder', ['listOrders', 'getStatistics']);
  const submit = () =>
    place.mutate(
      {
        body: {
          vendor_id: store.vendor_id,
          ...kinds[kind],
          customer: { first_name: name, phone_number: phone },
          payment: { type: 'PAID' },
          ...(comment.trim() && { comment: comment.trim() }),
          items: lines.map(({ product, amount }) => ({
            sku: product.sku,
            ...(product.isSoldByWeight ? { weight: amount } : { quantity: amount }),
          })),
        },
      },
      { onSuccess: ({ order_code }) => notifyDone(t('sandbox.placed', { code: order_code })) },
    );
  return (
    <Card padding="lg">
      <Stack>
        <Title order={2}>{t('sandbox.customer')}</Title>
        <BasketEditor lines={lines} onChange={setLines} vendorId={store.vendor_id} />
        <Stack gap={4}>
          <Input.Label labelElement="div" id="how-delivered">
            {t('sandbox.delivery')}
          </Input.Label>
          <SegmentedControl
            aria-labelledby="how-delivered"
            fullWidth
            orientation={orientation}
            value={kind}
            onChange={setKind}
            data={[
              { value: 'RIDER', label: t('sandbox.byRider') },
              { value: 'STORE', label: t('sandbox.byStore') },
              { value: 'COLLECT', label: t('sandbox.byCustomer') },
            ]}
          />
        </Stack>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            label={t('sandbox.firstName')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <TextInput
            type="tel"
            label={t('sandbox.phone')}
            value={phone}
            onChange={(event) => setPhone(event.currentTarget.value)}
          />
        </SimpleGrid>
        <TextInput
          label={t('sandbox.comment')}
          value={comment}
          onChange={(event) => setComment(event.currentTarget.value)}
        />
        <Group>
          <Button
            leftSection={<IconShoppingCart size={16} />}
            onClick={submit}
            loading={place.isPending}
            disabled={lines.length === 0 || name.trim() === '' || phone.trim() === ''}
          >
            {t('sandbox.place')}
          </Button>
        </Group>
      </Stack>
    </Card>
  );
}
