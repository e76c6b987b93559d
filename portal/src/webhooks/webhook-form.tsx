import { environments } from '@aisle/contract/webhooks';
import { Checkbox, Drawer, Input, PasswordInput, SegmentedControl, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { fieldErrorsOf } from '../api/field-errors.ts';
import { notifyFailure } from '../api/notify-failure.ts';
import { editedValues } from '../kit/edited-values.ts';
import { FormButtons } from '../kit/form-buttons.tsx';
import { humanize } from '../kit/format.ts';
import { notifyDone } from '../kit/notify.ts';
import { Secret } from '../kit/secret.tsx';
import { useMessages } from '../messages/use-messages.ts';
import type { Translate } from '../messages/catalogue.ts';
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
  const t = useMessages();
  const { save } = useWebhookActions(owner);
  const form = useForm<Values>({
    initialValues: valuesOf(webhook),
    validate: {
      staging_url: (url, { environment }) => checkUrl(t, url, environment === 'staging'),
      production_url: (url, { environment }) => checkUrl(t, url, environment === 'production'),
      staging_catalog_url: (url) => checkUrl(t, url, false),
      production_catalog_url: (url) => checkUrl(t, url, false),
    },
  });
  // The webhook is saved as a whole, and is read again while the form is open.
  const submit = form.onSubmit((values) =>
    save.mutate(inputOf({ ...(webhook ? valuesOf(webhook) : values), ...editedValues(form) }), {
      onSuccess: (saved) => {
        notifyDone(t('webhooks.saved'));
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
        title={t('webhooks.secret')}
        label={t('webhooks.secret')}
        secret={save.data.signing_secret}
        lost={t('webhooks.secretLost')}
        onClose={onClose}
      >
        <Text size="sm">{t('webhooks.secretHelp')}</Text>
      </Secret>
    );
  }
  return (
    <Drawer opened onClose={() => !save.isPending && onClose()} title={t('webhooks.name', { owner: title })}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <Stack gap={4}>
            <Input.Label labelElement="div" id="environment">
              {t('webhooks.environment')}
            </Input.Label>
            <SegmentedControl
              aria-labelledby="environment"
              data={environments.map((value) => ({ value, label: humanize(value) }))}
              {...form.getInputProps('environment')}
            />
          </Stack>
          <TextInput
            type="url"
            label={t('webhooks.stagingUrl')}
            description={t('webhooks.stagingUrlHelp', { url: 'http://127.0.0.1:9000' })}
            placeholder="https://staging.example.com/hooks"
            {...form.getInputProps('staging_url')}
          />
          <TextInput
            type="url"
            label={t('webhooks.productionUrl')}
            placeholder="https://example.com/hooks"
            {...form.getInputProps('production_url')}
          />
          <div>
            <Title order={3}>{t('webhooks.separateUrls')}</Title>
            <Text size="sm" c="dimmed">
              {t('webhooks.separateUrlsHelp')}
            </Text>
          </div>
          <TextInput
            type="url"
            label={t('webhooks.stagingCatalogUrl')}
            {...form.getInputProps('staging_catalog_url')}
          />
          <TextInput
            type="url"
            label={t('webhooks.productionCatalogUrl')}
            {...form.getInputProps('production_catalog_url')}
          />
          <PasswordInput
            label={t('webhooks.authorization')}
            description={webhook?.has_secret ? t('webhooks.keepSecret') : t('webhooks.secretOptional')}
            autoComplete="off"
            disabled={form.values.hasNoSecret}
            {...form.getInputProps('secret')}
          />
          {webhook?.has_secret && (
            <Checkbox label={t('webhooks.removeSecret')} {...form.getInputProps('hasNoSecret', { type: 'checkbox' })} />
          )}
          <FormButtons submit={t('webhooks.save')} isPending={save.isPending} onClose={onClose} />
        </Stack>
      </form>
    </Drawer>
  );
}

function valuesOf(webhook: Webhook | undefined): Values {
  return {
    environment: webhook?.environment ?? 'staging',
    staging_url: webhook?.staging_url ?? '',
    production_url: webhook?.production_url ?? '',
    staging_catalog_url: webhook?.staging_catalog_url ?? '',
    production_catalog_url: webhook?.production_catalog_url ?? '',
    secret: '',
    hasNoSecret: false,
  };
}

function checkUrl(t: Translate, url: string, isNeeded: boolean): string | null {
  if (url.trim() === '') return isNeeded ? t('webhooks.urlNeeded') : null;
  return /^https?:\/\/\S+$/.test(url.trim()) ? null : t('webhooks.urlScheme');
}

function inputOf({ environment, secret, hasNoSecret, ...urls }: Values): WebhookInput {
  const given = Object.entries(urls).filter(([, url]) => url.trim() !== '');
  const header = hasNoSecret ? { secret: null } : secret === '' ? {} : { secret };
  return { environment, ...Object.fromEntries(given.map(([name, url]) => [name, url.trim()])), ...header };
}
