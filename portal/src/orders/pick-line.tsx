import { ActionIcon, Badge, Button, Card, Group, NumberInput, Stack, Text } from '@mantine/core';
import { IconArrowsExchange, IconCheck, IconTrash, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { Picture } from '../catalog/picture.tsx';
import { ProductPicker } from '../catalog/product-picker.tsx';
import { type Amount, type Cart, changeAddition, changePick, type Extra, type Pick, removeAddition } from './cart.ts';
import { amountOf } from './order-items.tsx';
import type { Item } from './use-order.ts';

type LineProps = { item: Item; vendorId: string; cart: Cart; onChange(cart: Cart): void };

/** One line of the order, large enough for a thumb. */
export function PickLine({ item, vendorId, cart, onChange }: LineProps) {
  const [isReplacing, setReplacing] = useState(false);
  const pick = cart.picks.find((one) => one.itemId === item._id);
  if (!pick) return null;
  const set = (change: Partial<Pick>) => onChange(changePick(cart, item._id, change));
  return (
    <Card component="section" aria-label={item.name} style={{ borderLeft: `4px solid ${edges[pick.state]}` }}>
      <Group justify="space-between" wrap="wrap">
        <Described item={item} />
        <Group gap="xs">
          {pick.state === 'found' && (
            <AmountField
              label={`Picked of ${item.name}`}
              isWeighted={item.pricing.pricing_type === 'KG'}
              amount={pick.amount}
              least={item.pricing.min_quantity}
              most={item.pricing.max_quantity}
              onChange={(amount) => set({ amount })}
            />
          )}
          <Choice
            isChosen={pick.state === 'found'}
            label="Found"
            icon={<IconCheck size={18} />}
            onClick={() => set({ state: 'found' })}
          />
          <Choice
            isChosen={pick.state === 'missing'}
            label="Not found"
            icon={<IconX size={18} />}
            onClick={() => set({ state: 'missing' })}
          />
          <Choice
            isChosen={pick.state === 'replaced'}
            label="Replace"
            icon={<IconArrowsExchange size={18} />}
            onClick={() => setReplacing(true)}
          />
        </Group>
      </Group>
      {pick.state === 'replaced' && pick.by && (
        <ExtraLine
          extra={pick.by}
          word="instead"
          onAmount={(amount) => set({ by: { ...(pick.by as Extra), amount } })}
        />
      )}
      {isReplacing && (
        <ProductPicker
          title={`Instead of ${item.name}`}
          about={item.replacement && `The customer wishes: ${item.replacement.preference}`}
          suggestions={item.replacement?.suggestions}
          vendorId={vendorId}
          onClose={() => setReplacing(false)}
          onChoose={(product) => {
            set({ state: 'replaced', by: { key: item._id, product, amount: pick.amount } });
            setReplacing(false);
          }}
        />
      )}
    </Card>
  );
}

const edges = {
  open: 'transparent',
  found: 'var(--mantine-color-teal-6)',
  missing: 'var(--mantine-color-red-6)',
  replaced: 'var(--mantine-color-orange-6)',
};

function Described({ item }: { item: Item }) {
  return (
    <Group gap="md" wrap="nowrap" style={{ flex: '1 1 320px' }}>
      <Picture address={item.image_url} size={64} />
      <Stack gap={2}>
        <Text fw={600}>{item.name}</Text>
        <Text className="mono" c="dimmed">
          {[item.sku, ...item.barcode].join(' · ')}
        </Text>
        <Text size="sm">
          <b>{amountOf(item.original_pricing)}</b>
          {item.pricing.pricing_type === 'UNIT' ? ' ordered' : ''}
          {item.instructions && ` · “${item.instructions}”`}
        </Text>
      </Stack>
    </Group>
  );
}

type ChoiceProps = { isChosen: boolean; label: string; icon: React.ReactNode; onClick(): void };

function Choice({ isChosen, label, icon, onClick }: ChoiceProps) {
  return (
    <Button
      size="md"
      variant={isChosen ? 'filled' : 'default'}
      leftSection={icon}
      aria-pressed={isChosen}
      onClick={onClick}
    >
      {label}
    </Button>
  );
}

type AmountProps = {
  label: string;
  isWeighted: boolean;
  amount: Amount;
  least?: number;
  most?: number;
  onChange(amount: Amount): void;
};

function AmountField({ label, isWeighted, amount, least = isWeighted ? 0.001 : 1, most, onChange }: AmountProps) {
  return (
    <NumberInput
      size="md"
      w={120}
      aria-label={label}
      min={least}
      max={most}
      clampBehavior="strict"
      step={isWeighted ? 0.05 : 1}
      decimalScale={isWeighted ? 3 : 0}
      suffix={isWeighted ? ' kg' : ''}
      value={isWeighted ? amount.weight : amount.quantity}
      onChange={(value) =>
        onChange(isWeighted ? { ...amount, weight: Number(value) } : { ...amount, quantity: Number(value) })
      }
    />
  );
}

type ExtraProps = { extra: Extra; word: string; onAmount(amount: Amount): void };

function ExtraLine({ extra, word, onAmount }: ExtraProps) {
  return (
    <Group justify="space-between" mt="sm" pl="md">
      <Group gap="sm" wrap="nowrap">
        <Badge variant="outline" color="gray" tt="none">
          {word}
        </Badge>
        <Picture address={extra.product.picture} size={40} />
        <div>
          <Text size="sm" fw={500}>
            {extra.product.name}
          </Text>
          <Text className="mono" c="dimmed">
            {extra.product.sku}
          </Text>
        </div>
      </Group>
      <AmountField
        label={`Amount of ${extra.product.name}`}
        isWeighted={extra.product.isWeighted}
        amount={extra.amount}
        onChange={onAmount}
      />
    </Group>
  );
}

export function AdditionLine({
  addition,
  cart,
  onChange,
}: {
  addition: Extra;
  cart: Cart;
  onChange(cart: Cart): void;
}) {
  return (
    <Card
      component="section"
      aria-label={addition.product.name}
      style={{ borderLeft: '4px solid var(--mantine-color-blue-6)' }}
    >
      <Group wrap="nowrap" align="flex-end">
        <div style={{ flex: 1 }}>
          <ExtraLine
            extra={addition}
            word="added"
            onAmount={(amount) => onChange(changeAddition(cart, addition.key, amount))}
          />
        </div>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={`Remove ${addition.product.name}`}
          onClick={() => onChange(removeAddition(cart, addition.key))}
        >
          <IconTrash size={18} />
        </ActionIcon>
      </Group>
    </Card>
  );
}
