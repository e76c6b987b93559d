import { Group, Select, Text, Tooltip } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useSession } from '../api/session.tsx';
import { useStore } from '../api/store.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { shortStoreName } from '../kit/short-store-name.ts';
import { isOpen, type OutletStatus, useStatuses } from '../outlets/use-statuses.ts';

export function StoreSwitcher() {
  const t = useMessages();
  const { store, stores, choose } = useStore();
  const statuses = useStatuses();
  const { chain } = useSession();
  const isPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  const labelOf = (name: string) => (isPhone ? shortStoreName(name, chain.name) : name);
  const current = statuses?.get(store.vendor_id);
  return (
    <Select
      aria-label={t('shell.store')}
      w={{ base: '100%', sm: 300, lg: 320 }}
      miw={0}
      maw={320}
      value={store.vendor_id}
      onChange={(value) => value && choose(value)}
      allowDeselect={false}
      searchable={stores.length > 7}
      nothingFoundMessage={t('kit.noResults')}
      {...(isPhone && { leftSectionWidth: 28, rightSectionWidth: 26 })}
      leftSection={<StatusDot outlet={current} />}
      data={stores.map(({ vendor_id, name }) => ({ value: vendor_id, label: labelOf(name) }))}
      renderOption={({ option }) => <Option name={option.label} outlet={statuses?.get(option.value)} />}
      attributes={{ input: { dir: 'auto' } }}
      maxDropdownHeight={360}
      comboboxProps={{ width: 300, position: 'bottom-end' }}
    />
  );
}

function Option({ name, outlet }: { name: string; outlet: OutletStatus | undefined }) {
  const t = useMessages();
  return (
    <Group gap="sm" wrap="nowrap" w="100%">
      <Text size="sm" style={{ flex: 1 }}>
        {name}
      </Text>
      {outlet && !isOpen(outlet) && (
        <Text size="xs" c="dimmed">
          {t('shell.storeClosed')}
        </Text>
      )}
      <StatusDot outlet={outlet} isDecorative />
    </Group>
  );
}

function StatusDot({ outlet, isDecorative }: { outlet: OutletStatus | undefined; isDecorative?: boolean }) {
  const t = useMessages();
  const label = isOpen(outlet) ? t('shell.storeOpen') : t('shell.storeClosed');
  const color = !outlet ? 'gray-5' : isOpen(outlet) ? 'teal-6' : 'orange-6';
  const dot = {
    width: 10,
    height: 10,
    flex: 'none',
    borderRadius: '50%',
    background: `var(--mantine-color-${color})`,
  } as const;
  if (isDecorative || !outlet) return <span style={dot} aria-hidden />;
  return (
    <Tooltip label={label}>
      <span role="img" aria-label={label} style={dot} />
    </Tooltip>
  );
}
