import { type FileColumn, fileColumns, type FileKind } from '@aisle/contract/file-columns';
import { Anchor, Button, Card, Group, Table, Text, Title } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { urlOf } from '../api/call.ts';
import { useSession } from '../api/session.tsx';

/** The columns that a file can have, with a template to download. */
export function ColumnsCard({ kind }: { kind: FileKind }) {
  const { chain } = useSession();
  return (
    <Card padding={0}>
      <Group justify="space-between" p="md" pb={4}>
        <Title order={2}>Columns</Title>
        <Button
          component="a"
          size="xs"
          variant="default"
          leftSection={<IconDownload size={14} />}
          href={urlOf('getFileTemplate', { chain_id: chain.chain_id, folder: kind })}
          download
        >
          Download template
        </Button>
      </Group>
      <Text size="sm" c="dimmed" px="md" pb="xs">
        The first row has the names of the columns, in any order. See{' '}
        <Anchor href="/docs/files" target="_blank" rel="noreferrer" underline="always" c="inherit" inherit>
          the guide
        </Anchor>{' '}
        for other accepted names, encodings and number formats.
      </Text>
      <Table.ScrollContainer minWidth={360} type="native">
        <Table aria-label="Columns">
          <Table.Tbody>
            {fileColumns[kind].map((column) => (
              <ColumnRow key={column.name} column={column} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Card>
  );
}

function ColumnRow({ column }: { column: FileColumn }) {
  return (
    <Table.Tr>
      <Table.Td style={{ verticalAlign: 'top' }}>
        <Text className="mono">{column.name}</Text>
        {column.required && (
          <Text size="xs" c="dimmed">
            required
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Text size="sm">{column.description.replaceAll('`', '')}</Text>
      </Table.Td>
    </Table.Tr>
  );
}
