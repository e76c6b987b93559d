import { embeddedPrefixes, maxEmbeddedDigits, parseEmbeddedBarcode } from '@aisle/contract/embedded-barcode';
import { ActionIcon, Button, Card, Group, NumberInput, Select, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useChange, useRead } from '../api/hooks.ts';
import type { ResponseBody } from '../api/operations.ts';
import { usePermission, useSession } from '../api/session.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { notifyDone } from '../kit/notify.ts';
import { NotAllowed } from '../kit/not-allowed.tsx';
import { Page } from '../kit/page.tsx';
import { useMessages } from '../messages/use-messages.ts';

type Rule = ResponseBody<'getPickingSettings'>['embedded_barcodes'][number];

/** How the picking app reads the barcodes that a store's scales print. */
export function BarcodesPage() {
  const t = useMessages();
  const may = usePermission();
  const { user } = useSession();
  const { data } = useRead('getPickingSettings', {});
  const isReadOnly = !may('updatePickingSettings') || user.vendor_ids !== null;
  return (
    <Page title={t('barcodes.title')} about={t('barcodes.about')}>
      {isReadOnly && <NotAllowed>{t('barcodes.readOnly')}</NotAllowed>}
      {data ? (
        <RulesForm key={JSON.stringify(data)} saved={data.embedded_barcodes} isReadOnly={isReadOnly} />
      ) : (
        <Skeleton height={200} />
      )}
    </Page>
  );
}

function RulesForm({ saved, isReadOnly }: { saved: Rule[]; isReadOnly: boolean }) {
  const t = useMessages();
  const [rules, setRules] = useState(saved);
  const update = useChange('updatePickingSettings', ['getPickingSettings']);
  const free = embeddedPrefixes.find((prefix) => !rules.some((rule) => rule.prefix === prefix));
  const isValid = rules.every(({ code_digits, value_digits }) => code_digits + value_digits <= maxEmbeddedDigits);
  const change = (index: number, part: Partial<Rule>) =>
    setRules(rules.map((rule, at) => (at === index ? { ...rule, ...part } : rule)));
  const save = () =>
    update.mutate({ body: { embedded_barcodes: rules } }, { onSuccess: () => notifyDone(t('barcodes.saved')) });
  return (
    <Stack maw={900}>
      {rules.length === 0 && (
        <Card padding={0}>
          <EmptyState title={t('barcodes.none')}>{t('barcodes.noneHelp')}</EmptyState>
        </Card>
      )}
      {rules.map((rule, index) => (
        <RuleCard
          key={rule.prefix}
          rule={rule}
          taken={rules.map(({ prefix }) => prefix)}
          isReadOnly={isReadOnly}
          onChange={(part) => change(index, part)}
          onRemove={() => setRules(rules.toSpliced(index, 1))}
        />
      ))}
      {!isReadOnly && (
        <Group justify="space-between">
          <Button
            variant="default"
            leftSection={<IconPlus size={16} />}
            disabled={free === undefined}
            onClick={() => free && setRules([...rules, { ...defaultRule, prefix: free }])}
          >
            {t('barcodes.add')}
          </Button>
          <Button onClick={save} loading={update.isPending} disabled={!isValid || rules === saved}>
            {t('barcodes.save')}
          </Button>
        </Group>
      )}
      <TryOut rules={rules} />
    </Stack>
  );
}

const defaultRule = { prefix: '21', kind: 'WEIGHT', code_digits: 5, value_digits: 5, decimals: 3 } as const;

type RuleCardProps = {
  rule: Rule;
  /** The prefixes that have a rule, including this one. */
  taken: Rule['prefix'][];
  isReadOnly: boolean;
  onChange(part: Partial<Rule>): void;
  onRemove(): void;
};

function RuleCard({ rule, taken, isReadOnly, onChange, onRemove }: RuleCardProps) {
  const t = useMessages();
  const isTooLong = rule.code_digits + rule.value_digits > maxEmbeddedDigits;
  const number = (field: 'code_digits' | 'value_digits' | 'decimals', min: number, max: number) => (
    <NumberInput
      label={t(`barcodes.${field}`)}
      w={130}
      min={min}
      max={max}
      allowDecimal={false}
      readOnly={isReadOnly}
      value={rule[field]}
      onChange={(value) => typeof value === 'number' && onChange({ [field]: value })}
      error={field === 'value_digits' && isTooLong ? t('barcodes.tooLong', { max: maxEmbeddedDigits }) : undefined}
    />
  );
  return (
    <Card>
      <Stack gap="sm">
        <Group align="flex-start">
          <Select
            label={t('barcodes.prefix')}
            w={90}
            data={embeddedPrefixes.filter((prefix) => prefix === rule.prefix || !taken.includes(prefix))}
            value={rule.prefix}
            onChange={(prefix) => prefix && onChange({ prefix })}
            readOnly={isReadOnly}
            allowDeselect={false}
          />
          <Select
            label={t('barcodes.contains')}
            w={130}
            data={[
              { value: 'WEIGHT', label: t('barcodes.weight') },
              { value: 'PRICE', label: t('barcodes.price') },
            ]}
            value={rule.kind}
            onChange={(kind) => kind && onChange({ kind, decimals: kind === 'WEIGHT' ? 3 : 2 })}
            readOnly={isReadOnly}
            allowDeselect={false}
          />
          {number('code_digits', 1, 9)}
          {number('value_digits', 1, 9)}
          {number('decimals', 0, 4)}
          {!isReadOnly && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              mt={26}
              aria-label={t('barcodes.remove', { prefix: rule.prefix })}
              onClick={onRemove}
            >
              <IconTrash size={18} />
            </ActionIcon>
          )}
        </Group>
        <Text className="mono" c="dimmed" dir="ltr">
          {layoutOf(rule)}
        </Text>
      </Stack>
    </Card>
  );
}

/** The 13 digits with letters for their meaning: I for the item code, V for the value, x for ignored, C for check. */
function layoutOf({ prefix, code_digits, value_digits }: Rule): string {
  const ignored = Math.max(0, maxEmbeddedDigits - code_digits - value_digits);
  return `${prefix} ${'I'.repeat(code_digits)} ${'x'.repeat(ignored)} ${'V'.repeat(value_digits)} C`.replace('  ', ' ');
}

function TryOut({ rules }: { rules: Rule[] }) {
  const t = useMessages();
  const [code, setCode] = useState('');
  const found = parseEmbeddedBarcode(code.trim(), rules);
  const result = found
    ? t(found.kind === 'WEIGHT' ? 'barcodes.foundWeight' : 'barcodes.foundPrice', {
        code: found.item_code,
        value: String(found.value),
      })
    : t('barcodes.notFound');
  return (
    <Card>
      <TextInput
        label={t('barcodes.try')}
        description={t('barcodes.tryHelp', { count: 13 })}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        inputMode="numeric"
        maw={320}
      />
      <Text size="sm" mt="xs" role="status">
        {code.trim() === '' ? '' : result}
      </Text>
    </Card>
  );
}
