import {
  Alert,
  Button,
  Card,
  FileInput,
  Group,
  List,
  Progress,
  Select,
  SimpleGrid,
  Stack,
  Tabs,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { notifyFailure } from '../api/notify-failure.ts';
import { formatNumber, humanize } from '../kit/format.ts';
import { notifyDone } from '../kit/notify.ts';
import { saveFile } from '../kit/save-file.ts';
import { useMessages } from '../messages/use-messages.ts';
import { callPlatform, usePlatformChange } from './api.ts';
import { type Imported, importStores } from './import-stores.ts';
import {
  readStores,
  storeColumns,
  type StoreDefaults,
  type StoreProblem,
  type StoreRow,
  exampleFile,
  firstDefaults,
} from './stores-csv.ts';

/** Adds stores to a chain, one by one or from a CSV file. The file is sent in parts, so it can have any size. */
export function StoreImport({ chainId }: { chainId: string }) {
  const t = useMessages();
  const defaults = useForm<StoreDefaults>({ initialValues: firstDefaults });
  return (
    <Card>
      <Stack>
        <Title order={2}>{t('console.addStores')}</Title>
        <Text size="sm" c="dimmed">
          {t('console.storeDefaults')}
        </Text>
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
          <TextInput label={t('console.currency')} maxLength={3} {...defaults.getInputProps('currency')} />
          <TextInput label={t('console.country')} maxLength={2} {...defaults.getInputProps('country_code')} />
          <TextInput label={t('console.locale')} maxLength={5} {...defaults.getInputProps('locale')} />
          <TextInput label={t('console.timezone')} maxLength={64} {...defaults.getInputProps('timezone')} />
          <Select
            label={t('console.transport')}
            data={['LOGISTICS_DELIVERY', 'VENDOR_DELIVERY'].map((value) => ({ value, label: humanize(value) }))}
            allowDeselect={false}
            {...defaults.getInputProps('transport_type')}
          />
        </SimpleGrid>
        <Tabs defaultValue="file">
          <Tabs.List mb="sm">
            <Tabs.Tab value="file">{t('console.fromFile')}</Tabs.Tab>
            <Tabs.Tab value="one">{t('console.oneStore')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="file">
            <FromFile chainId={chainId} defaults={defaults.values} />
          </Tabs.Panel>
          <Tabs.Panel value="one">
            <OneStore chainId={chainId} defaults={defaults.values} />
          </Tabs.Panel>
        </Tabs>
      </Stack>
    </Card>
  );
}

type Given = { chainId: string; defaults: StoreDefaults };

/** On a phone, fields are as wide as their card. */
const fieldWidth = { base: '100%', xs: 260 };

function FromFile({ chainId, defaults }: Given) {
  const t = useMessages();
  const [file, setFile] = useState<File | null>(null);
  const [problems, setProblems] = useState<StoreProblem[]>([]);
  const { progress, state, run, reset } = useImport(chainId);
  const start = async () => {
    if (!file) return;
    reset();
    const read = readStores(await file.text(), defaults);
    setProblems(read.problems);
    if (read.problems.length === 0) await run(read.stores);
  };
  return (
    <Stack gap="sm">
      <Text size="sm">{t('console.csvHelp', { columns: storeColumns.join(', ') })}</Text>
      <Group align="flex-end">
        <FileInput
          label={t('console.csvFile')}
          placeholder={t('console.chooseFile')}
          accept=".csv,text/csv"
          value={file}
          onChange={setFile}
          clearable
          w={fieldWidth}
        />
        <Button onClick={() => void start()} loading={state === 'importing'} disabled={!file}>
          {t('console.importStores')}
        </Button>
        <Button
          variant="subtle"
          onClick={() => saveFile('stores.csv', exampleFile(t('console.exampleName')), 'text/csv')}
        >
          {t('console.exampleFile')}
        </Button>
      </Group>
      <Problems problems={progress?.problems ?? problems} isRejected={!progress} />
      {progress && state && <ImportProgress progress={progress} state={state} />}
    </Stack>
  );
}

function ImportProgress({ progress, state }: { progress: Imported; state: ImportState }) {
  const t = useMessages();
  const { created, existing, total, problems } = progress;
  const done = created + existing + new Set(problems.map(({ row }) => row)).size;
  return (
    <div>
      <Progress value={(100 * done) / Math.max(1, total)} aria-label={t('console.progress')} mb={4} />
      <Text size="sm" role="status">
        {t(`console.${state}`, {
          created: formatNumber(created),
          existing: formatNumber(existing),
          total: formatNumber(total),
        })}
      </Text>
    </div>
  );
}

const maxShown = 10;

function Problems({ problems, isRejected }: { problems: StoreProblem[]; isRejected: boolean }) {
  const t = useMessages();
  if (problems.length === 0) return null;
  return (
    <Alert color="red" role="alert" title={t('console.csvProblems', { count: problems.length })}>
      <List size="sm">
        {problems.slice(0, maxShown).map(({ row, problem, value }) => (
          <List.Item key={`${row} ${problem} ${value}`}>{t(`console.csv.${problem}`, { row, value })}</List.Item>
        ))}
      </List>
      {problems.length > maxShown && (
        <Text size="sm">{t('console.moreProblems', { count: problems.length - maxShown })}</Text>
      )}
      {isRejected && (
        <Text size="sm" mt="xs">
          {t('console.csvRejected')}
        </Text>
      )}
    </Alert>
  );
}

/** The names are those of the texts. */
type ImportState = 'importing' | 'imported' | 'importStopped';

/** A repeated import skips the stores that exist. */
function useImport(chainId: string) {
  const client = useQueryClient();
  const [progress, setProgress] = useState<Imported>();
  const [state, setState] = useState<ImportState>();
  const params = { chain_id: chainId };
  const run = async (stores: StoreRow[]) => {
    setState('importing');
    try {
      await importStores(
        stores,
        (vendors) => callPlatform('platformCreateVendors', { params, body: { vendors } }),
        setProgress,
      );
      setState('imported');
    } catch (error) {
      notifyFailure(error);
      setState('importStopped');
    }
    await client.invalidateQueries({ queryKey: ['platformListVendors'] });
    await client.invalidateQueries({ queryKey: ['platformGetChecklist'] });
  };
  const reset = () => {
    setProgress(undefined);
    setState(undefined);
  };
  return { progress, state, run, reset };
}

function OneStore({ chainId, defaults }: Given) {
  const t = useMessages();
  const form = useForm({ initialValues: { name: '', external_id: '' } });
  const create = usePlatformChange('platformCreateVendor', ['platformListVendors', 'platformGetChecklist']);
  const submit = form.onSubmit(({ name, external_id }) =>
    create.mutate(
      { params: { chain_id: chainId }, body: { ...defaults, name, ...(external_id && { external_id }) } },
      {
        onSuccess: () => {
          form.reset();
          notifyDone(t('console.storeAdded'));
        },
      },
    ),
  );
  return (
    <form onSubmit={submit}>
      <Group align="flex-end">
        <TextInput
          label={t('console.storeName')}
          required
          maxLength={100}
          w={fieldWidth}
          {...form.getInputProps('name')}
        />
        <TextInput
          label={t('console.externalId')}
          maxLength={64}
          w={fieldWidth}
          {...form.getInputProps('external_id')}
        />
        <Button type="submit" loading={create.isPending}>
          {t('console.addStore')}
        </Button>
      </Group>
    </form>
  );
}
