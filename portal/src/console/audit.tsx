import { Alert, Badge, Button, Code, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { DataTable } from '../kit/data-table.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { Page } from '../kit/page.tsx';
import { Moment } from '../kit/time.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { type PlatformBody, platformUrl, usePlatform } from './api.ts';
import { ConsoleLink, useFilters, useGo } from './links.tsx';

type Entry = PlatformBody<'platformListAuditEntries'>['entries'][number];

/** Who changed what, when and from where. */
export function Audit() {
  const t = useMessages();
  const { chain_id, actor_id, action, target } = useFilters();
  const filter = { chain_id, actor_id, action, target };
  const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value)) as Record<string, string>;
  const [cursors, setCursors] = useState<string[]>([]);
  const cursor = cursors.at(-1);
  const query = { ...given, ...(cursor && { cursor }), limit: 50 };
  const { data, error } = usePlatform('platformListAuditEntries', { query }, { throwOnError: false });
  const download = (format: string) => platformUrl('platformExportAuditEntries', { ...given, format });
  return (
    <Page
      title={t('console.audit')}
      about={t('console.auditAbout')}
      actions={
        <>
          <Button
            component="a"
            href={download('csv')}
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            {t('console.downloadCsv')}
          </Button>
          <Button
            component="a"
            href={download('ndjson')}
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            {t('console.downloadNdjson')}
          </Button>
        </>
      }
    >
      <Filters key={JSON.stringify(given)} given={given} onChange={() => setCursors([])} />
      {error && (
        <Alert color="red" role="alert">
          {error.message}
        </Alert>
      )}
      <DataTable
        label={t('console.audit')}
        columns={[
          { head: t('console.time'), cell: ({ at }) => <Moment at={at} /> },
          { head: t('console.who'), cell: (entry) => <Who entry={entry} given={given} />, width: 200 },
          {
            head: t('console.action'),
            cell: ({ action: name }) => (
              <ConsoleLink to="/audit" search={{ ...given, action: name }} size="sm" className="mono">
                {name}
              </ConsoleLink>
            ),
          },
          { head: t('console.detail'), cell: (entry) => <Details entry={entry} /> },
          {
            head: t('console.from'),
            cell: ({ address, request_id }) => (
              <Text size="xs" className="mono" title={request_id ?? ''}>
                {address ?? t('console.command')}
              </Text>
            ),
            isExtra: true,
          },
        ]}
        rows={error ? [] : data?.entries}
        keyOf={(row) => row.entry_id}
        empty={<EmptyState title={t('console.noEntries')} />}
        minWidth={760}
      />
      <Group justify="flex-end">
        {cursors.length > 0 && (
          <Button variant="default" onClick={() => setCursors(cursors.slice(0, -1))}>
            {t('console.newer')}
          </Button>
        )}
        {data?.next_cursor && (
          <Button variant="default" onClick={() => setCursors([...cursors, data.next_cursor ?? ''])}>
            {t('console.older')}
          </Button>
        )}
      </Group>
    </Page>
  );
}

function Filters({ given, onChange }: { given: Record<string, string>; onChange(): void }) {
  const t = useMessages();
  const go = useGo();
  const initialValues = { chain_id: '', actor_id: '', action: '', target: '', ...given };
  const form = useForm({ initialValues });
  const search = (values: Record<string, string>) => {
    const trimmed = Object.entries(values).map(([name, value]) => [name, value.trim()]);
    onChange();
    go({ to: '/audit', search: Object.fromEntries(trimmed.filter(([, value]) => value !== '')) });
  };
  return (
    <form onSubmit={form.onSubmit(search)}>
      <Stack gap="xs">
        <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
          <TextInput label={t('console.chainId')} {...form.getInputProps('chain_id')} />
          <TextInput label={t('console.actorId')} {...form.getInputProps('actor_id')} />
          <TextInput label={t('console.action')} {...form.getInputProps('action')} />
          <TextInput label={t('console.target')} {...form.getInputProps('target')} />
        </SimpleGrid>
        <Group>
          <Button type="submit" variant="default">
            {t('console.filter')}
          </Button>
          {Object.keys(given).length > 0 && (
            <Button variant="subtle" onClick={() => search({})}>
              {t('console.showAll')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

/** The name shows all entries of the same user, token or client. */
function Who({ entry: { actor, is_on_behalf: isOnBehalf }, given }: { entry: Entry; given: Record<string, string> }) {
  const t = useMessages();
  const name = actor.name || t(`console.actor.${actor.kind}`);
  return (
    <div style={{ minWidth: 0 }}>
      {actor.id ? (
        <ConsoleLink
          to="/audit"
          search={{ ...given, actor_id: actor.id }}
          size="sm"
          style={{ overflowWrap: 'anywhere' }}
        >
          {name}
        </ConsoleLink>
      ) : (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
      )}
      <Group gap={4}>
        <Text size="xs" c="dimmed">
          {t(`console.actor.${actor.kind}`)}
        </Text>
        {isOnBehalf && (
          <Badge size="xs" color="orange" variant="dot" radius="sm" tt="none">
            {t('console.onBehalf')}
          </Badge>
        )}
      </Group>
    </div>
  );
}

function Details({ entry: { chain_id, targets, details } }: { entry: Entry }) {
  const t = useMessages();
  const text = details === null ? '' : JSON.stringify(details);
  const ids = Object.entries(targets).map(([name, value]) => `${name}: ${value}`);
  return (
    <Stack gap={2} maw={420}>
      {chain_id && (
        <ConsoleLink to="/chains/$chainId" params={{ chainId: chain_id }} size="xs">
          {t('console.chain')}
        </ConsoleLink>
      )}
      {ids.map((id) => (
        <Text key={id} size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {id}
        </Text>
      ))}
      {text !== '' && (
        <Code style={{ overflowWrap: 'anywhere', textAlign: 'start' }} fz="xs" dir="ltr">
          {text.length > 160 ? `${text.slice(0, 160)}…` : text}
        </Code>
      )}
    </Stack>
  );
}
