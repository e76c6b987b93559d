import { type FileColumn, fileColumns } from '@aisle/contract/file-columns';
import type { FileKind } from '@aisle/contract/file-kinds';
import { Button, Card, Group, Table, Text, Title } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { urlOf } from '../api/call.ts';
import { useSession } from '../api/session.tsx';
import { DocsLink } from '../kit/link.tsx';
import { useLanguage } from '../messages/language.ts';
import { Rich } from '../messages/rich.tsx';
import { useMessages } from '../messages/use-messages.ts';
import classes from './files.module.css';
import { columnKey } from './labels.ts';

/** The columns that a file can have, with a template to download. */
export function ColumnsCard({ kind }: { kind: FileKind }) {
  const t = useMessages();
  const { chain } = useSession();
  return (
    <Card padding={0}>
      <Group justify="space-between" p="md" pb={4}>
        <Title order={2}>{t('upload.columns')}</Title>
        <Button
          component="a"
          size="xs"
          variant="default"
          leftSection={<IconDownload size={14} />}
          href={urlOf('getFileTemplate', { chain_id: chain.chain_id, folder: kind })}
          download
        >
          {t('upload.template')}
        </Button>
      </Group>
      <Text size="sm" c="dimmed" px="md" pb="xs">
        <Rich message="upload.columnsHelp" values={{ guide: <DocsLink to="files">{t('upload.guide')}</DocsLink> }} />
      </Text>
      <Table aria-label={t('upload.columns')} className="stacked">
        <Table.Tbody>
          {fileColumns[kind].map((column) => (
            <ColumnRow key={column.name} kind={kind} column={column} />
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  );
}

function ColumnRow({ kind, column }: { kind: FileKind; column: FileColumn }) {
  const { t, find } = useLanguage();
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400} className={classes['column']}>
        <Text className="mono" style={{ overflowWrap: 'anywhere' }}>
          {column.name}
        </Text>
        {column.required && (
          <Text size="xs" c="dimmed">
            {t('upload.required')}
          </Text>
        )}
      </Table.Th>
      <Table.Td>
        <Text size="sm" dir="auto" className="own-direction">
          {find(columnKey(kind, column.name))}
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}
