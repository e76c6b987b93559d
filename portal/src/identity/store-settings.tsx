import {
  Alert,
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
import { IconLock } from '@tabler/icons-react';
import { useChange, useRead } from '../api/hooks.ts';
import type { Answer } from '../api/operations.ts';
import { useMay } from '../api/session.tsx';
import { notifyDone } from '../kit/notify.ts';
import { OutletControl } from '../outlets/outlet-control.tsx';
import type { Store } from '../shell/store.tsx';

type Settings = Answer<'getVendorSettings'>;

export function StoreSettings({ store, onClose }: { store: Store; onClose(): void }) {
  const { data } = useRead('getVendorSettings', { params: { vendor_id: store.vendor_id } }, { staleTime: 0 });
  const isCurrent = data?.vendor_id === store.vendor_id;
  return (
    <Drawer opened onClose={onClose} title={store.name}>
      {isCurrent ? <SettingsForm settings={data} onDone={onClose} /> : <Skeleton height={300} />}
    </Drawer>
  );
}

function SettingsForm({ settings, onDone }: { settings: Settings; onDone(): void }) {
  const may = useMay();
  const isClosed = !may('updateVendorSettings');
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
          notifyDone(`${settings.name} is saved.`);
          onDone();
        },
      },
    ),
  );
  return (
    <Stack gap="xl">
      <OutletControl vendorId={settings.vendor_id} />
      <form onSubmit={submit}>
        <Stack>
          <Title order={2}>Yours to set</Title>
          {isClosed && (
            <Alert color="gray" icon={<IconLock size={18} />}>
              Only owners of the chain can change these.
            </Alert>
          )}
          <TextInput
            label="Your own store number"
            description="Understood by the API wherever a store is named."
            disabled={isClosed}
            {...form.getInputProps('external_id')}
          />
          <NumberInput
            label="Sales buffer"
            description="Stock at or below this number counts as sold out."
            min={0}
            max={1_000_000}
            allowDecimal={false}
            disabled={isClosed}
            {...form.getInputProps('sales_buffer')}
          />
          <Switch
            label="Picking integration"
            description="Orders of this store are picked through the API."
            disabled={isClosed}
            {...form.getInputProps('hasPicking', { type: 'checkbox' })}
          />
          <Switch
            label="Integration enabled"
            description="Test orders can be sent once a webhook is set as well."
            disabled={isClosed}
            {...form.getInputProps('integration_enabled', { type: 'checkbox' })}
          />
          {!isClosed && (
            <Group justify="flex-end">
              <Button type="submit" loading={update.isPending}>
                Save
              </Button>
            </Group>
          )}
        </Stack>
      </form>
      <ReadOnly settings={settings} />
    </Stack>
  );
}

function ReadOnly({ settings }: { settings: Settings }) {
  const facts: [string, string][] = [
    ['Platform id', settings.vendor_id],
    [
      'Delivery',
      settings.transport_type === 'LOGISTICS_DELIVERY'
        ? 'Platform riders (LOGISTICS_DELIVERY)'
        : 'Your own (VENDOR_DELIVERY)',
    ],
    ['Currency', settings.currency],
    ['Language', settings.locale],
    ['Time zone', settings.timezone],
    ['A picker may add', `${settings.unit_overpick} units to what was ordered`],
    ['A weight may differ by', `${Math.round(settings.weight_tolerance * 100)} %`],
    ['Weighted for weighted', settings.weighted_replacement ? 'may be replaced' : 'may not be replaced'],
    ['Test store', settings.test ? 'yes' : 'no'],
  ];
  return (
    <Stack gap="xs">
      <Title order={2}>Set by the platform</Title>
      <Text size="sm" c="dimmed">
        Ask your account manager to change these.
      </Text>
      <Table variant="vertical" highlightOnHover={false}>
        <Table.Tbody>
          {facts.map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th fw={500} w={190}>
                {name}
              </Table.Th>
              <Table.Td>{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  );
}
