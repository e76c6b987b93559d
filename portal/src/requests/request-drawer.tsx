import { Anchor, Code as Inline, Drawer, Group, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useRead } from '../api/hooks.ts';
import type { ResponseBody } from '../api/operations.ts';
import { useStore } from '../api/store.tsx';
import { Code } from '../kit/code.tsx';
import { Copyable } from '../kit/copy.tsx';
import { formatDateTime, formatExactTime, formatMilliseconds } from '../kit/format.ts';
import { ButtonLink } from '../kit/link.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { indented } from './describe.ts';
import { HttpStatus } from './http-status.tsx';

type Request = ResponseBody<'getRequest'>;
type RequestDrawerProps = { requestId: string; receivedAt: string | undefined; onClose(): void };

/** A request with its errors, and with its bodies if they were recorded. */
export function RequestDrawer({ requestId, receivedAt, onClose }: RequestDrawerProps) {
  const t = useMessages();
  const { data, error } = useRead(
    'getRequest',
    { params: { request_id: requestId }, query: receivedAt ? { received_at: receivedAt } : {} },
    { throwOnError: false },
  );
  const request = data?.request_id === requestId ? data : undefined;
  return (
    <Drawer
      opened
      onClose={onClose}
      title={request ? t('requests.methodRequest', { method: request.method }) : t('requests.request')}
      size="xl"
    >
      {error && (
        <Text dir="auto" className="own-direction">
          {error.message}
        </Text>
      )}
      {!request && !error && <Skeleton height={300} />}
      {request && (
        <Stack>
          <Group justify="space-between">
            <HttpStatus status={request.status} isAborted={request.aborted} />
            {request.order_id && (
              <ButtonLink size="xs" variant="default" to="/orders/$orderId" params={{ orderId: request.order_id }}>
                {t('requests.viewOrder')}
              </ButtonLink>
            )}
          </Group>
          <Copyable value={request.request_id} label={t('requests.copyId')} isWhole />
          <Errors request={request} />
          <Facts request={request} />
          <Body label={t('requests.requestBody')} body={request.request_body} />
          <Body label={t('requests.responseBody')} body={request.response_body} />
          <BodyHint request={request} />
        </Stack>
      )}
    </Drawer>
  );
}

function Errors({ request }: { request: Request }) {
  const t = useMessages();
  if (request.error_code === null) return null;
  return (
    <div>
      <Title order={3} mb={4}>
        {t('requests.error')}
      </Title>
      <Text size="sm" mb="xs" dir="auto" className="own-direction">
        <ErrorCode code={request.error_code} /> {request.error_detail}
      </Text>
      {request.errors.length > 0 && (
        <Table aria-label={t('requests.errors')} highlightOnHover={false}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('requests.field')}</Table.Th>
              <Table.Th>{t('requests.problem')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {request.errors.map((error, index) => (
              <Table.Tr key={index}>
                <Table.Td className="mono" miw={110} style={{ overflowWrap: 'anywhere' }}>
                  {error.pointer || '–'}
                </Table.Td>
                <Table.Td>
                  <bdi>{error.message}</bdi>
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
  const t = useMessages();
  const { stores } = useStore();
  const { received_at: at, caller, idempotency } = request;
  const facts: [name: string, value: ReactNode][] = [
    [t('requests.path'), breakable(request.path)],
    [t('requests.query'), breakable(request.query)],
    [
      t('requests.time'),
      <time key="time" dateTime={at} title={formatDateTime(at)}>
        {formatExactTime(at)}
      </time>,
    ],
    [t('requests.duration'), formatMilliseconds(request.duration_ms)],
    [caller.kind === 'token' ? t('requests.token') : t('requests.client'), caller.name],
    [t('requests.store'), stores.find(({ vendor_id }) => vendor_id === request.vendor_id)?.name],
    [
      t('requests.idempotencyKey'),
      idempotency === 'replayed' ? t('requests.replayed') : idempotency && t('requests.firstUse'),
    ],
    [t('requests.ignoredParameters'), breakable(request.ignored_parameters.join(', '))],
    [t('requests.ignoredFields'), breakable(request.ignored_fields.join(', '))],
    [t('requests.connection'), request.aborted && t('requests.closedEarly')],
  ];
  return (
    <Table className="stacked" variant="vertical" aria-label={t('requests.details')} layout="fixed">
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
    <Text className="mono" style={{ overflowWrap: 'anywhere' }}>
      {text}
    </Text>
  );
}

function Body({ label, body }: { label: string; body: Request['request_body'] }) {
  const t = useMessages();
  if (!body) return null;
  return (
    <div>
      <Code label={label} language="json" text={indented(body.text)} maxHeight={420} />
      {body.truncated && (
        <Text size="xs" c="dimmed">
          {t('requests.truncated', { bytes: body.bytes })}
        </Text>
      )}
    </div>
  );
}

function BodyHint({ request }: { request: Request }) {
  const t = useMessages();
  if (request.request_body || request.response_body) return null;
  return (
    <Text size="sm" c="dimmed">
      {request.streamed ? t('requests.streamed') : t('requests.noBodies')}
    </Text>
  );
}
