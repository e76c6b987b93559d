import { Checkbox, SimpleGrid, Text } from '@mantine/core';
import { type Scope, scopes, scopeDescriptions } from './scopes.ts';

type ScopePickerProps = {
  /** The scopes to choose from, with what each one allows. */
  labels?: Partial<Record<Scope, string>>;
  value?: Scope[];
  error?: string;
  onChange?(scopes: Scope[]): void;
};

export function ScopePicker({ labels = scopeDescriptions, value = [], error, onChange }: ScopePickerProps) {
  return (
    <Checkbox.Group
      label="Scopes"
      description="The operations that are allowed. Grant only what is needed."
      value={value}
      onChange={(given) => onChange?.(given)}
      error={error}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} mt="xs" verticalSpacing="xs">
        {Object.entries(labels).map(([scope, description]) => (
          <Checkbox key={scope} value={scope} label={<span className="mono">{scope}</span>} description={description} />
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  );
}

/** Lists a credential's scopes on at most two lines. */
export function ScopeList({ value }: { value: readonly Scope[] }) {
  const isAll = scopes.every((scope) => value.includes(scope));
  return (
    <Text size="sm" className="mono" lineClamp={2} maw={340}>
      {isAll ? 'All scopes' : value.join(', ')}
    </Text>
  );
}
