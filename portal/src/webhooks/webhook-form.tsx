import { environments } from '@aisle/contract/webhooks';
import { Checkbox, Drawer, PasswordInput, SegmentedControl, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { fieldErrorsOf } from '../api/field-errors.ts';
import { notifyFailure } from '../api/notify-failure.ts';
import { FormButtons } from '../kit/form-buttons.tsx';
import { humanize } from '../kit/format.ts';
import { notifyDone } from '../kit/notify.ts';
import { Secret } from '../kit/secret.tsx';
import { type WebhookOwner, useWebhookActions, type Webhook, type WebhookInput } from './use-webhooks.ts';

type FormProps = { title: string; owner: WebhookOwner; webhook: Webhook | undefined; onClose(): void };
type Values = {
  environment: WebhookInput['environment'];
  staging_url: string;
  production_url: string;
  staging_catalog_url: string;
  production_catalog_url: string;
  secret: string;
  hasNoSecret: boolean;
};

export function WebhookForm({ title, owner, webhook, onClose }: FormProps) {
  const { save } = useWebhookActions(owner);
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
      staging_url: (url, { environment }) => checkUrl(url, environment === 'staging'),
      production_url: (url, { environment }) => checkUrl(url, environment === 'production'),
      staging_catalog_url: (url) => checkUrl(url, false),
      production_catalog_url: (url) => checkUrl(url, false),
    },
  });
  const submit = form.onSubmit((values) =>
    save.mutate(inputOf(values), {
      onSuccess: (saved) => {
        notifyDone('Webhook saved.');
        if (saved.signing_secret === undefined) onClose();
      },
      onError: (error) => {
        const errors = fieldErrorsOf(error, Object.keys(values));
        if (errors) form.setErrors(errors);
        else notifyFailure(error);
      },
    }),
  );
  if (save.data?.signing_secret !== undefined) {
    return (
      <Secret
        title="Signing secret"
        label="Signing secret"
        secret={save.data.signing_secret}
        lost="If you lose it, rotate it in the webhook's menu."
        onClose={onClose}
      >
        <Text size="sm">
          Your receiver uses this secret to verify that messages come from Aisle. You do not need it for a first test.
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
              Environment
            </Text>
            <SegmentedControl
              aria-labelledby="environment"
              data={environments.map((value) => ({ value, label: humanize(value) }))}
              {...form.getInputProps('environment')}
            />
          </Stack>
          <TextInput
            label="Staging URL"
            description="For testing. A local receiver works too: http://127.0.0.1:9000"
            placeholder="https://staging.example.com/hooks"
            {...form.getInputProps('staging_url')}
          />
          <TextInput
            label="Production URL"
            placeholder="https://example.com/hooks"
            {...form.getInputProps('production_url')}
          />
          <div>
            <Title order={3}>Separate URLs for catalog events</Title>
            <Text size="sm" c="dimmed">
              Leave empty to use the URLs above.
            </Text>
          </div>
          <TextInput label="Staging URL for catalog events" {...form.getInputProps('staging_catalog_url')} />
          <TextInput label="Production URL for catalog events" {...form.getInputProps('production_catalog_url')} />
          <PasswordInput
            label="Authorization header"
            description={
              webhook?.has_secret
                ? 'Leave empty to keep the current one. Enter it again if you change the host of a URL.'
                : 'Optional. Sent exactly as entered, for example Bearer x.'
            }
            autoComplete="off"
            disabled={form.values.hasNoSecret}
            {...form.getInputProps('secret')}
          />
          {webhook?.has_secret && (
            <Checkbox
              label="Remove the Authorization header"
              {...form.getInputProps('hasNoSecret', { type: 'checkbox' })}
            />
          )}
          <FormButtons submit="Save" isPending={save.isPending} onClose={onClose} />
        </Stack>
      </form>
    </Drawer>
  );
}

function checkUrl(url: string, isNeeded: boolean): string | null {
  if (url.trim() === '') return isNeeded ? 'Enter a URL for the selected environment' : null;
  return /^https?:\/\/\S+$/.test(url.trim()) ? null : 'Must start with http:// or https://';
}

function inputOf({ environment, secret, hasNoSecret, ...urls }: Values): WebhookInput {
  const given = Object.entries(urls).filter(([, url]) => url.trim() !== '');
  const header = hasNoSecret ? { secret: null } : secret === '' ? {} : { secret };
  return { environment, ...Object.fromEntries(given.map(([name, url]) => [name, url.trim()])), ...header };
}
