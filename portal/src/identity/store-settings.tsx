import {
  Button,
  Drawer,
  Group,
  NumberInput,
  Skeleton,
  Stack,
  Switch,
  Table,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useChange, useRead } from '../api/hooks.ts';
import type { ResponseBody } from '../api/operations.ts';
import { usePermission } from '../api/session.tsx';
import { editedValues } from '../kit/edited-values.ts';
import { formatLocale, formatNumber, formatPercent } from '../kit/format.ts';
import { notifyDone } from '../kit/notify.ts';
import { OutletControl } from '../outlets/outlet-control.tsx';
import type { Store } from '../api/store.tsx';
import { useMessages } from '../messages/use-messages.ts';
import type { Translate } from '../messages/catalogue.ts';

type Settings = ResponseBody<'getVendorSettings'>;

export function StoreSettings({ store, onClose }: { store: Store; onClose(): void }) {
  const t = useMessages();
  const may = usePermission();
  const params = { vendor_id: store.vendor_id };
  const { data, isFetchedAfterMount } = useRead('getVendorSettings', { params }, { staleTime: 0 });
  const isCurrent = isFetchedAfterMount && data?.vendor_id === store.vendor_id;
  return (
    <Drawer opened onClose={onClose} title={store.name}>
      {!isCurrent && <Skeleton height={300} />}
      {isCurrent && (
        <Stack gap="xl">
          <OutletControl vendorId={store.vendor_id} />
          {may('updateVendorSettings') ? (
            <SettingsForm settings={data} onDone={onClose} />
          ) : (
            <Facts title={t('storeSettings.chain')} about={t('storeSettings.ownersOnly')} facts={ownFacts(t, data)} />
          )}
          <Facts
            title={t('storeSettings.platform')}
            about={t('storeSettings.platformHelp')}
            facts={platformFacts(t, data)}
          />
        </Stack>
      )}
    </Drawer>
  );
}

function SettingsForm({ settings, onDone }: { settings: Settings; onDone(): void }) {
  const t = useMessages();
  const update = useChange('updateVendorSettings', ['getVendorSettings', 'listVendors', 'listCatalog']);
  const form = useForm({
    initialValues: {
      external_id: settings.external_id ?? '',
      sales_buffer: settings.sales_buffer,
      hasPicking: settings.integration_type === 'PICKING',
      integration_enabled: settings.integration_enabled,
    },
  });
  const submit = form.onSubmit(() => {
    const { external_id: number, hasPicking, ...edited } = editedValues(form);
    const body = {
      ...edited,
      ...(number !== undefined && { external_id: number.trim() === '' ? null : number.trim() }),
      ...(hasPicking !== undefined && { integration_type: hasPicking ? ('PICKING' as const) : null }),
    };
    update.mutate(
      { params: { vendor_id: settings.vendor_id }, body },
      {
        onSuccess: () => {
          notifyDone(t('storeSettings.saved', { store: settings.name }));
          onDone();
        },
      },
    );
  });
  return (
    <form onSubmit={submit}>
      <Stack>
        <Title order={2}>{t('storeSettings.chain')}</Title>
        <TextInput
          label={t('storeSettings.number')}
          description={t('storeSettings.numberHelp')}
          {...form.getInputProps('external_id')}
        />
        <NumberInput
          label={t('storeSettings.buffer')}
          description={t('storeSettings.bufferHelp')}
          min={0}
          max={1_000_000}
          allowDecimal={false}
          {...form.getInputProps('sales_buffer')}
        />
        <Switch
          label={t('storeSettings.picking')}
          description={t('storeSettings.pickingHelp')}
          {...form.getInputProps('hasPicking', { type: 'checkbox' })}
        />
        <Switch
          label={t('storeSettings.enabled')}
          description={t('storeSettings.enabledHelp')}
          {...form.getInputProps('integration_enabled', { type: 'checkbox' })}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={update.isPending}>
            {t('storeSettings.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type Fact = [name: string, value: string];

function ownFacts(t: Translate, settings: Settings): Fact[] {
  return [
    [t('storeSettings.number'), settings.external_id ?? t('storeSettings.none')],
    [t('storeSettings.buffer'), formatNumber(settings.sales_buffer)],
    [
      t('storeSettings.picking'),
      settings.integration_type === 'PICKING' ? t('storeSettings.on') : t('storeSettings.off'),
    ],
    [t('storeSettings.enabled'), settings.integration_enabled ? t('storeSettings.yes') : t('storeSettings.no')],
  ];
}

function platformFacts(t: Translate, settings: Settings): Fact[] {
  return [
    [t('storeSettings.platformId'), settings.vendor_id],
    [
      t('storeSettings.delivery'),
      settings.transport_type === 'LOGISTICS_DELIVERY' ? t('storeSettings.byPlatform') : t('storeSettings.byStore'),
    ],
    [t('storeSettings.currency'), settings.currency],
    [t('storeSettings.language'), formatLocale(settings.locale)],
    [t('storeSettings.timeZone'), settings.timezone],
    [t('storeSettings.overpicking'), overpickLabel(t, settings.unit_overpick)],
    [
      t('storeSettings.tolerance'),
      t('storeSettings.toleranceOf', { percent: formatPercent(settings.weight_tolerance, 1) }),
    ],
    [
      t('storeSettings.replacingWeighed'),
      settings.weighted_replacement ? t('storeSettings.allowed') : t('storeSettings.notAllowed'),
    ],
    [t('storeSettings.testStore'), settings.test ? t('storeSettings.yes') : t('storeSettings.no')],
  ];
}

function overpickLabel(t: Translate, units: number): string {
  if (units === 0) return t('storeSettings.noOverpicking');
  return t('storeSettings.overpickingUnits', { count: units });
}

function Facts({ title, about, facts }: { title: string; about: string; facts: Fact[] }) {
  return (
    <Stack gap="xs">
      <Title order={2}>{title}</Title>
      <Text size="sm" c="dimmed">
        {about}
      </Text>
      <Table variant="vertical" highlightOnHover={false} horizontalSpacing={0}>
        <Table.Tbody>
          {facts.map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th w={190}>{name}</Table.Th>
              <Table.Td>{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  );
}
