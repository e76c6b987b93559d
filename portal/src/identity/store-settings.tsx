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
import { formatNumber, formatPercent } from '../kit/format.ts';
import { notifyDone } from '../kit/notify.ts';
import { OutletControl } from '../outlets/outlet-control.tsx';
import type { Store } from '../api/store.tsx';

type Settings = ResponseBody<'getVendorSettings'>;

export function StoreSettings({ store, onClose }: { store: Store; onClose(): void }) {
  const may = usePermission();
  const { data } = useRead('getVendorSettings', { params: { vendor_id: store.vendor_id } }, { staleTime: 0 });
  const isCurrent = data?.vendor_id === store.vendor_id;
  return (
    <Drawer opened onClose={onClose} title={store.name}>
      {!isCurrent && <Skeleton height={300} />}
      {isCurrent && (
        <Stack gap="xl">
          <OutletControl vendorId={store.vendor_id} />
          {may('updateVendorSettings') ? (
            <SettingsForm settings={data} onDone={onClose} />
          ) : (
            <Facts title="Chain settings" about="Only owners can change these." facts={ownFacts(data)} />
          )}
          <Facts
            title="Platform settings"
            about="Contact your platform administrator to change these."
            facts={platformFacts(data)}
          />
        </Stack>
      )}
    </Drawer>
  );
}

function SettingsForm({ settings, onDone }: { settings: Settings; onDone(): void }) {
  const update = useChange('updateVendorSettings', ['getVendorSettings', 'listVendors', 'listCatalog']);
  const form = useForm({
    initialValues: {
      external_id: settings.external_id ?? '',
      sales_buffer: settings.sales_buffer,
      hasPicking: settings.integration_type === 'PICKING',
      integration_enabled: settings.integration_enabled,
    },
  });
  const submit = form.onSubmit(({ external_id, sales_buffer, hasPicking, integration_enabled }) =>
    update.mutate(
      {
        params: { vendor_id: settings.vendor_id },
        body: {
          external_id: external_id.trim() === '' ? null : external_id.trim(),
          sales_buffer,
          integration_type: hasPicking ? 'PICKING' : null,
          integration_enabled,
        },
      },
      {
        onSuccess: () => {
          notifyDone(`${settings.name} saved.`);
          onDone();
        },
      },
    ),
  );
  return (
    <form onSubmit={submit}>
      <Stack>
        <Title order={2}>Chain settings</Title>
        <TextInput
          label="Your store number"
          description="Can be used instead of the store id in all API requests."
          {...form.getInputProps('external_id')}
        />
        <NumberInput
          label="Sales buffer"
          description="Products at or below this stock level are shown as sold out."
          min={0}
          max={1_000_000}
          allowDecimal={false}
          {...form.getInputProps('sales_buffer')}
        />
        <Switch
          label="Picking integration"
          description="This store's orders are picked through the API."
          {...form.getInputProps('hasPicking', { type: 'checkbox' })}
        />
        <Switch
          label="Integration enabled"
          description="Required for test orders, together with a webhook."
          {...form.getInputProps('integration_enabled', { type: 'checkbox' })}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={update.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type Fact = [name: string, value: string];

function ownFacts(settings: Settings): Fact[] {
  return [
    ['Your store number', settings.external_id ?? 'None'],
    ['Sales buffer', formatNumber(settings.sales_buffer)],
    ['Picking integration', settings.integration_type === 'PICKING' ? 'On' : 'Off'],
    ['Integration enabled', settings.integration_enabled ? 'Yes' : 'No'],
  ];
}

function platformFacts(settings: Settings): Fact[] {
  return [
    ['Platform id', settings.vendor_id],
    [
      'Delivery',
      settings.transport_type === 'LOGISTICS_DELIVERY'
        ? 'Platform delivery (LOGISTICS_DELIVERY)'
        : 'Store delivery (VENDOR_DELIVERY)',
    ],
    ['Currency', settings.currency],
    ['Language', settings.locale],
    ['Time zone', settings.timezone],
    ['Overpicking', overpickLabel(settings.unit_overpick)],
    ['Weight tolerance', `${formatPercent(settings.weight_tolerance, 1)} of the ordered weight`],
    ['Replacing items sold by weight', settings.weighted_replacement ? 'Allowed' : 'Not allowed'],
    ['Test store', settings.test ? 'Yes' : 'No'],
  ];
}

function overpickLabel(units: number): string {
  if (units === 0) return "Pickers can't exceed the ordered quantity";
  return `Pickers can add up to ${formatNumber(units)} ${units === 1 ? 'unit' : 'units'}`;
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
