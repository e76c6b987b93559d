import { ActionIcon, Badge, Button, Card, Group, NumberInput, Stack, Text } from '@mantine/core';
import { IconArrowsExchange, IconCheck, IconMinus, IconPlus, IconTrash, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { Picture } from '../catalog/picture.tsx';
import { ProductPicker } from '../catalog/product-picker.tsx';
import { type Amount, type Cart, changeAddition, changePick, type Extra, type Pick, removeAddition } from './cart.ts';
import { amountOf } from './order-items.tsx';
import classes from './orders.module.css';
import type { Item } from './order.ts';

type LineProps = { item: Item; vendorId: string; cart: Cart; onChange(cart: Cart): void };

/** An item in the order, with controls that are large enough for touch. */
export function PickLine({ item, vendorId, cart, onChange }: LineProps) {
  const [isReplacing, setReplacing] = useState(false);
  const pick = cart.picks.find((candidate) => candidate.itemId === item._id);
  if (!pick) return null;
  const set = (change: Partial<Pick>) => onChange(changePick(cart, item._id, change));
  return (
    <Card component="section" aria-label={item.name} className={classes['line']} data-state={pick.state}>
      <Group justify="space-between" wrap="wrap">
        <Described item={item} />
        <Group gap="xs" className={classes['choices']}>
          <div className={classes['amount']}>
            {pick.state === 'found' && (
              <AmountField
                label={`Picked quantity of ${item.name}`}
                isSoldByWeight={item.pricing.pricing_type === 'KG'}
                amount={pick.amount}
                min={item.pricing.min_quantity}
                max={item.pricing.max_quantity}
                onChange={(amount) => set({ amount })}
              />
            )}
          </div>
          <Choice
            isChosen={pick.state === 'found'}
            color="aisle"
            label="Found"
            icon={<IconCheck size={18} />}
            onClick={() => set({ state: 'found' })}
          />
          <Choice
            isChosen={pick.state === 'missing'}
            color="red.8"
            label="Not found"
            icon={<IconX size={18} />}
            onClick={() => set({ state: 'missing' })}
          />
          <Choice
            isChosen={pick.state === 'replaced'}
            color="orange.9"
            label="Replace"
            icon={<IconArrowsExchange size={18} />}
            onClick={() => setReplacing(true)}
          />
        </Group>
      </Group>
      {pick.state === 'replaced' && pick.by && (
        <ExtraLine
          extra={pick.by}
          word="replacement"
          onAmount={(amount) => set({ by: { ...(pick.by as Extra), amount } })}
        />
      )}
      {isReplacing && (
        <ProductPicker
          title={`Replace ${item.name}`}
          about={item.replacement && `Customer preference: ${item.replacement.preference}`}
          suggestions={item.replacement?.suggestions}
          vendorId={vendorId}
          excludedSku={item.sku}
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

function Described({ item }: { item: Item }) {
  return (
    <Group gap="md" wrap="nowrap" style={{ flex: '1 1 18rem' }}>
      <Picture url={item.image_url} size={64} />
      <Stack gap={2}>
        <Text fw={600}>{item.name}</Text>
        <Text className="mono" c="dimmed">
          {[item.sku, ...item.barcode].join(' · ')}
        </Text>
        <Text size="sm">
          <b>{amountOf(item.original_pricing)}</b> ordered
        </Text>
        {item.instructions && (
          <Text size="sm" fs="italic">
            “{item.instructions}”
          </Text>
        )}
      </Stack>
    </Group>
  );
}

type ChoiceProps = { isChosen: boolean; color: string; label: string; icon: React.ReactNode; onClick(): void };

function Choice({ isChosen, color, label, icon, onClick }: ChoiceProps) {
  return (
    <Button
      size="md"
      variant={isChosen ? 'filled' : 'default'}
      {...(isChosen && { color })}
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
  isSoldByWeight: boolean;
  amount: Amount;
  min?: number;
  max?: number;
  onChange(amount: Amount): void;
};

function AmountField({ label, isSoldByWeight, amount, min = isSoldByWeight ? 0.001 : 1, max, onChange }: AmountProps) {
  const value = isSoldByWeight ? amount.weight : amount.quantity;
  const step = isSoldByWeight ? 0.05 : 1;
  const set = (next: number) =>
    onChange(isSoldByWeight ? { ...amount, weight: Math.round(next * 1000) / 1000 } : { ...amount, quantity: next });
  return (
    <Group gap={4} wrap="nowrap">
      <Step label={`Decrease: ${label}`} isDisabled={value - step < min} onClick={() => set(value - step)}>
        <IconMinus size={18} />
      </Step>
      <NumberInput
        size="md"
        w={isSoldByWeight ? 104 : 64}
        aria-label={label}
        min={min}
        max={max}
        clampBehavior="strict"
        decimalScale={isSoldByWeight ? 3 : 0}
        suffix={isSoldByWeight ? ' kg' : ''}
        hideControls
        styles={{ input: { textAlign: 'center', paddingInline: 6 } }}
        value={value}
        onChange={(next) => set(Number(next))}
      />
      <Step
        label={`Increase: ${label}`}
        isDisabled={max !== undefined && value + step > max}
        onClick={() => set(value + step)}
      >
        <IconPlus size={18} />
      </Step>
    </Group>
  );
}

type StepProps = { label: string; isDisabled: boolean; onClick(): void; children: React.ReactNode };

/** A button to change a quantity. Unlike the built-in arrows, it is large enough for touch. */
function Step({ label, isDisabled, onClick, children }: StepProps) {
  return (
    <ActionIcon variant="default" size={42} aria-label={label} disabled={isDisabled} onClick={onClick}>
      {children}
    </ActionIcon>
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
        <Picture url={extra.product.picture} size={40} />
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
        label={`Quantity of ${extra.product.name}`}
        isSoldByWeight={extra.product.isSoldByWeight}
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
    <Card component="section" aria-label={addition.product.name} className={classes['line']} data-state="added">
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
          size={42}
          aria-label={`Remove ${addition.product.name}`}
          onClick={() => onChange(removeAddition(cart, addition.key))}
        >
          <IconTrash size={18} />
        </ActionIcon>
      </Group>
    </Card>
  );
}
