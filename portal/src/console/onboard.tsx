import { Button, Card, Group, Select, Stack, Stepper, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { fieldErrorsOf } from '../api/field-errors.ts';
import { notifyFailure } from '../api/notify-failure.ts';
import { humanize } from '../kit/format.ts';
import { Page } from '../kit/page.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { usePlatform, usePlatformChange } from './api.ts';
import { Categories } from './categories.tsx';
import { Checklist } from './checklist.tsx';
import { AddCredential, AddUser } from './first-access.tsx';
import { ConsoleButtonLink, useFilters, useGo } from './links.tsx';
import { StoreImport } from './store-import.tsx';

/** Creates a chain step by step. The chain is part of the URL, so that the steps can be continued after a reload. */
export function Onboard() {
  const t = useMessages();
  const go = useGo();
  const { chain_id: chainId = '', step: given = '0' } = useFilters();
  const step = chainId === '' ? 0 : Math.min(4, Number(given) || 1);
  const show = (next: number) => go({ to: '/onboard', search: { chain_id: chainId, step: next } });
  const params = { chain_id: chainId };
  const { data: chain } = usePlatform('platformGetChain', { params }, { enabled: chainId !== '' });
  return (
    <Page title={[t('console.onboard'), chain?.name].filter(Boolean).join(': ')} about={t('console.onboardAbout')}>
      <Stepper
        active={step}
        onStepClick={chainId === '' ? () => {} : show}
        allowNextStepsSelect={chainId !== ''}
        size="sm"
        orientation="horizontal"
        wrap
      >
        <Stepper.Step label={t('console.onboard.chain')} allowStepSelect={false} />
        <Stepper.Step label={t('console.stores')} />
        <Stepper.Step label={t('console.onboard.categories')} />
        <Stepper.Step label={t('console.onboard.access')} />
        <Stepper.Step label={t('console.checklist')} />
      </Stepper>
      {step === 0 && <NewChain onCreated={(id) => go({ to: '/onboard', search: { chain_id: id, step: 1 } })} />}
      {step === 1 && <StoreImport chainId={chainId} />}
      {step === 2 && <Categories chainId={chainId} />}
      {step === 3 && (
        <Stack>
          <AddUser chainId={chainId} />
          <AddCredential chainId={chainId} />
        </Stack>
      )}
      {step === 4 && <Checklist chainId={chainId} />}
      {step > 0 && (
        <Group justify="flex-end">
          {step < 4 && <Button onClick={() => show(step + 1)}>{t('console.next')}</Button>}
          {step === 4 && (
            <ConsoleButtonLink to="/chains/$chainId" params={{ chainId }}>
              {t('console.openChain')}
            </ConsoleButtonLink>
          )}
        </Group>
      )}
    </Page>
  );
}

function NewChain({ onCreated }: { onCreated(chainId: string): void }) {
  const t = useMessages();
  const form = useForm({ initialValues: { name: '', country_code: 'AE', profile: 'strict' as 'strict' | 'tolerant' } });
  const create = usePlatformChange('platformCreateChain', ['platformListChains'], (error) => {
    const errors = fieldErrorsOf(error, ['name', 'country_code']);
    if (errors) form.setErrors(errors);
    else notifyFailure(error);
  });
  const submit = form.onSubmit((body) => create.mutate({ body }, { onSuccess: ({ chain_id }) => onCreated(chain_id) }));
  return (
    <Card maw={560}>
      <form onSubmit={submit}>
        <Stack>
          <Title order={2}>{t('console.onboard.chain')}</Title>
          <TextInput label={t('console.name')} required maxLength={100} {...form.getInputProps('name')} />
          <TextInput
            label={t('console.country')}
            description={t('console.countryHelp')}
            maxLength={2}
            required
            {...form.getInputProps('country_code')}
          />
          <Select
            label={t('console.profile')}
            description={t('console.profileHelp')}
            data={['strict', 'tolerant'].map((value) => ({ value, label: humanize(value) }))}
            allowDeselect={false}
            {...form.getInputProps('profile')}
          />
          <Group>
            <Button type="submit" loading={create.isPending}>
              {t('console.createChain')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}
