import { environments } from '@aisle/contract/webhooks';
import {
  Button,
  Checkbox,
  Drawer,
  Group,
  PasswordInput,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { words } from '../kit/format.ts';
import { notifyDone } from '../kit/notify.ts';
import { Secret } from '../kit/secret.tsx';
import { type Place, useWebhookActs, type Webhook, type WebhookInput } from './use-webhooks.ts';

type FormProps = { title: string; place: Place; webhook: Webhook | undefined; onClose(): void };
type Values = {
  environment: WebhookInput['environment'];
  staging_url: string;
  production_url: string;
  staging_catalog_url: string;
  production_catalog_url: string;
  secret: string;
  hasNoSecret: boolean;
};

export function WebhookForm({ title, place, webhook, onClose }: FormProps) {
  const { save } = useWebhookActs(place);
  const form = useForm<Values>({
    initialValues: {
      environment: webhook?.environment ?? 'staging',
      staging_url: webhook?.staging_url ?? '',
      production_url: webhook?.production_url ?? '',
      staging_catalog_url: webhook?.staging_catalog_url ?? '',
      production_catalog_url: webhook?.production_catalog_url ?? '',
      secret: '',
      hasNoSecret: false,
    },
    validate: {
      staging_url: (address, { environment }) => judge(address, environment === 'staging'),
      production_url: (address, { environment }) => judge(address, environment === 'production'),
      staging_catalog_url: (address) => judge(address, false),
      production_catalog_url: (address) => judge(address, false),
    },
  });
  const submit = form.onSubmit((values) =>
    save.mutate(inputOf(values), {
      onSuccess: (saved) => {
        notifyDone(`The webhook of ${title.toLowerCase()} is saved.`);
        if (saved.signing_secret === undefined) onClose();
      },
    }),
  );
  if (save.data?.signing_secret !== undefined) {
    return (
      <Secret
        title="The signing secret"
        label="Signing secret"
        secret={save.data.signing_secret}
        lost="If it is lost, make a new one in the menu of the webhook."
        onClose={onClose}
      >
        <Text size="sm">
          With it your receiver makes sure that a message is ours. For a first try you can do without.
        </Text>
      </Secret>
    );
  }
  return (
    <Drawer opened onClose={onClose} title={`Webhook: ${title}`}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <Stack gap={4}>
            <Text size="sm" fw={500} id="environment">
              Send to
            </Text>
            <SegmentedControl
              aria-labelledby="environment"
              data={environments.map((value) => ({ value, label: words(value) }))}
              {...form.getInputProps('environment')}
            />
          </Stack>
          <TextInput
            label="Staging address"
            description="For tests. A receiver on this machine will do: http://127.0.0.1:9000"
            placeholder="https://staging.example.com/hooks"
            {...form.getInputProps('staging_url')}
          />
          <TextInput
            label="Production address"
            placeholder="https://example.com/hooks"
            {...form.getInputProps('production_url')}
          />
          <div>
            <Title order={3}>Other addresses for catalog events</Title>
            <Text size="sm" c="dimmed">
              Leave them empty, and ended jobs are told to the addresses above too.
            </Text>
          </div>
          <TextInput label="Staging address for catalog events" {...form.getInputProps('staging_catalog_url')} />
          <TextInput label="Production address for catalog events" {...form.getInputProps('production_catalog_url')} />
          <PasswordInput
            label="Authorization header"
            description={
              webhook?.has_secret
                ? 'There is one; leave empty to keep it.'
                : 'Sent exactly as you type it: x, Bearer x, Basic x. May be empty.'
            }
            autoComplete="off"
            disabled={form.values.hasNoSecret}
            {...form.getInputProps('secret')}
          />
          {webhook?.has_secret && (
            <Checkbox
              label="Send no Authorization header any more"
              {...form.getInputProps('hasNoSecret', { type: 'checkbox' })}
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={save.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Drawer>
  );
}

function judge(address: string, isNeeded: boolean): string | null {
  if (address.trim() === '') return isNeeded ? 'The environment in use needs its address' : null;
  return /^https?:\/\/\S+$/.test(address.trim()) ? null : 'An address that begins with http:// or https://';
}

function inputOf({ environment, secret, hasNoSecret, ...addresses }: Values): WebhookInput {
  const given = Object.entries(addresses).filter(([, address]) => address.trim() !== '');
  const header = hasNoSecret ? { secret: null } : secret === '' ? {} : { secret };
  return { environment, ...Object.fromEntries(given.map(([name, address]) => [name, address.trim()])), ...header };
}
