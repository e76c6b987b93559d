import { Alert, Button, Card, Group, Stack, Table, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { call } from '../api/call.ts';
import { useSession } from '../api/session.tsx';
import { formatNumber } from '../kit/format.ts';
import { notifyFailure } from '../api/notify-failure.ts';
import { useStore } from '../api/store.tsx';
import type { Body } from '../api/operations.ts';
import type { Upload } from './read-upload.ts';
import { UploadResult } from './upload-result.tsx';

type PreviewProps = { name: string; upload: Upload; onCancel(): void };
const shownRows = 12;

/** Shows the contents of the file before it is sent, then the result. */
export function Preview({ name, upload, onCancel }: PreviewProps) {
  const send = useSend();
  if (send.data) return <UploadResult jobId={send.data} upload={upload} onAgain={onCancel} />;
  const noun = `${formatNumber(upload.products.length)} ${upload.products.length === 1 ? 'product' : 'products'}`;
  const action = upload.kind === 'creation' ? `Create ${noun}` : `Update ${noun}`;
  return (
    <Stack>
      <Card>
        <Group justify="space-between">
          <div>
            <Title order={2}>{name}</Title>
            <Text size="sm" c="dimmed">
              {noun}.{' '}
              {upload.kind === 'creation'
                ? 'The file has titles, so products are created. Existing products are not changed.'
                : 'Existing products are updated. Unknown SKUs are reported.'}
            </Text>
          </div>
          <Group gap="xs">
            <Button variant="default" onClick={onCancel}>
              Choose another file
            </Button>
            <Button onClick={() => send.mutate(upload)} loading={send.isPending}>
              {action}
            </Button>
          </Group>
        </Group>
      </Card>
      {upload.ignored.length > 0 && <Alert color="yellow">Ignored columns: {upload.ignored.join(', ')}</Alert>}
      <Rows upload={upload} />
    </Stack>
  );
}

function Rows({ upload }: { upload: Upload }) {
  const left = upload.rows.length - shownRows;
  return (
    <Card padding={0}>
      <Table.ScrollContainer minWidth={400} type="native">
        <Table aria-label="File contents">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Row</Table.Th>
              {upload.columns.map((column) => (
                <Table.Th key={column}>{column}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {upload.rows.slice(0, shownRows).map((row, index) => (
              <Table.Tr key={index}>
                <Table.Td c="dimmed">{index + 1}</Table.Td>
                {upload.columns.map((column, at) => (
                  <Table.Td key={column}>{row[at]}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {left > 0 && (
        <Text size="sm" c="dimmed" p="md">
          and {formatNumber(left)} more
        </Text>
      )}
    </Card>
  );
}

/** Always sends the products as a job, even if there is only one, so that there is a result to show. */
function useSend() {
  const { chain } = useSession();
  const { store } = useStore();
  return useMutation({
    mutationFn: async ({ kind, products }: Upload): Promise<string> => {
      const params = { vendor_id: store.vendor_id };
      const options = { headers: { prefer: 'respond-async' } };
      const response =
        kind === 'creation'
          ? await call(
              chain.chain_id,
              'createStoreProducts',
              { params, body: { products } as Body<'createStoreProducts'> },
              options,
            )
          : await call(
              chain.chain_id,
              'updateCatalog',
              { params, body: { products } as Body<'updateCatalog'> },
              options,
            );
      return 'job_id' in response ? response.job_id : '';
    },
    onError: notifyFailure,
  });
}
