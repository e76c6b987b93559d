import { Anchor, Code as Inline, Drawer, Group, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useRead } from '../api/hooks.ts';
import type { ResponseBody } from '../api/operations.ts';
import { useStore } from '../api/store.tsx';
import { Code } from '../kit/code.tsx';
import { Copyable } from '../kit/copy.tsx';
import { formatDateTime, formatExactTime, formatNumber } from '../kit/format.ts';
import { ButtonLink } from '../kit/link.tsx';
import { duration, indented } from './describe.ts';
import { HttpStatus } from './http-status.tsx';

type Request = ResponseBody<'getRequest'>;
type RequestDrawerProps = { requestId: string; receivedAt: string | undefined; onClose(): void };

/** A request with its errors, and with its bodies if they were recorded. */
export function RequestDrawer({ requestId, receivedAt, onClose }: RequestDrawerProps) {
  const { data, error } = useRead(
    'getRequest',
    { params: { request_id: requestId }, query: receivedAt ? { received_at: receivedAt } : {} },
    { throwOnError: false },
  );
  const request = data?.request_id === requestId ? data : undefined;
  return (
    <Drawer opened onClose={onClose} title={request ? `${request.method} request` : 'Request'} size="xl">
      {error && <Text>{error.message}</Text>}
      {!request && !error && <Skeleton height={300} />}
      {request && (
        <Stack>
          <Group justify="space-between">
            <HttpStatus status={request.status} isAborted={request.aborted} />
            {request.order_id && (
              <ButtonLink size="xs" variant="default" to="/orders/$orderId" params={{ orderId: request.order_id }}>
                View order
              </ButtonLink>
            )}
          </Group>
          <Copyable value={request.request_id} label="Copy request id" />
          <Errors request={request} />
          <Facts request={request} />
          <Body label="Request body" body={request.request_body} />
          <Body label="Response body" body={request.response_body} />
          <BodyHint request={request} />
        </Stack>
      )}
    </Drawer>
  );
}

function Errors({ request }: { request: Request }) {
  if (request.error_code === null) return null;
  return (
    <div>
      <Title order={3} mb={4}>
        Error
      </Title>
      <Text size="sm" mb="xs">
        <ErrorCode code={request.error_code} /> {request.error_detail}
      </Text>
      {request.errors.length > 0 && (
        <Table aria-label="Errors" highlightOnHover={false}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Field</Table.Th>
              <Table.Th>Problem</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {request.errors.map((error, index) => (
              <Table.Tr key={index}>
                <Table.Td className="mono" style={{ wordBreak: 'break-all' }}>
                  {error.pointer || '–'}
                </Table.Td>
                <Table.Td>
                  {error.message}
                  <br />
                  <ErrorCode code={error.code} anchor="sub-codes" />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </div>
  );
}

/** A code with a link to its explanation. */
function ErrorCode({ code, anchor = code }: { code: string; anchor?: string }) {
  return (
    <Anchor href={`/docs/errors#${anchor}`} target="_blank" rel="noreferrer">
      <Inline>{code}</Inline>
    </Anchor>
  );
}

function Facts({ request }: { request: Request }) {
  const { stores } = useStore();
  const { received_at: at, caller, idempotency } = request;
  const facts: [name: string, value: ReactNode][] = [
    ['Path', breakable(request.path)],
    ['Query', breakable(request.query)],
    [
      'Time',
      <time key="time" dateTime={at} title={formatDateTime(at)}>
        {formatExactTime(at)}
      </time>,
    ],
    ['Duration', duration(request.duration_ms)],
    [caller.kind === 'token' ? 'Token' : 'Client', caller.name],
    ['Store', stores.find(({ vendor_id }) => vendor_id === request.vendor_id)?.name],
    ['Idempotency key', idempotency === 'replayed' ? 'Response replayed' : idempotency && 'First use'],
    ['Ignored parameters', breakable(request.ignored_parameters.join(', '))],
    ['Ignored fields', breakable(request.ignored_fields.join(', '))],
    ['Connection', request.aborted && 'Closed before the complete response was sent'],
  ];
  return (
    <Table variant="vertical" aria-label="Details" layout="fixed">
      <Table.Tbody>
        {facts
          .filter(([, value]) => Boolean(value))
          .map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th w={150}>{name}</Table.Th>
              <Table.Td>{value}</Table.Td>
            </Table.Tr>
          ))}
      </Table.Tbody>
    </Table>
  );
}

/** Lets long text without spaces wrap. Renders nothing for empty text. */
function breakable(text: string | null): ReactNode {
  if (!text) return null;
  return (
    <Text className="mono" style={{ wordBreak: 'break-all' }}>
      {text}
    </Text>
  );
}

function Body({ label, body }: { label: string; body: Request['request_body'] }) {
  if (!body) return null;
  return (
    <div>
      <Code label={label} language="json" text={indented(body.text)} maxHeight={420} />
      {body.truncated && (
        <Text size="xs" c="dimmed">
          Only the first 16 KiB of {formatNumber(body.bytes)} bytes are shown.
        </Text>
      )}
    </div>
  );
}

function BodyHint({ request }: { request: Request }) {
  if (request.request_body || request.response_body) return null;
  return (
    <Text size="sm" c="dimmed">
      {request.streamed ? 'The response was streamed, so its body was not recorded.' : 'No bodies were recorded.'}
    </Text>
  );
}
