import { Checkbox, SimpleGrid, Text } from '@mantine/core';
import { useMessages } from '../messages/use-messages.ts';
import { type Scope, scopes } from './scopes.ts';

type ScopePickerProps = {
  /** The scopes to choose from, with what each one allows. */
  labels?: Partial<Record<Scope, string>>;
  value?: Scope[];
  error?: string;
  onChange?(scopes: Scope[]): void;
};

export function ScopePicker({ labels, value = [], error, onChange }: ScopePickerProps) {
  const t = useMessages();
  const shown = labels ? Object.entries(labels) : scopes.map((scope) => [scope, t(`scope.${scope}`)] as const);
  return (
    <Checkbox.Group
      label={t('credentials.scopes')}
      description={t('credentials.scopesHelp')}
      value={value}
      onChange={(given) => onChange?.(given)}
      error={error}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} my="xs" verticalSpacing="xs">
        {shown.map(([scope, description]) => (
          <Checkbox key={scope} value={scope} label={<span className="mono">{scope}</span>} description={description} />
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  );
}

/** Lists a credential's scopes on at most two lines. */
export function ScopeList({ value }: { value: readonly Scope[] }) {
  const t = useMessages();
  const isAll = scopes.every((scope) => value.includes(scope));
  return (
    <Text size="sm" {...(!isAll && { className: 'mono' })} lineClamp={2} maw={340}>
      {isAll ? t('credentials.allScopes') : value.join(', ')}
    </Text>
  );
}
