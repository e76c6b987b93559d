import { Group, Stack, Table, Text } from '@mantine/core';
import type { ResponseBody } from '../api/operations.ts';
import { Code } from '../kit/code.tsx';
import { CopyButtonWithText } from '../kit/copy.tsx';
import { formatNumber } from '../kit/format.ts';
import { describeAttempt } from '../webhooks/describe.ts';
import { curlOf } from './curl.ts';

type Attempt = ResponseBody<'getDelivery'>['attempts'][number];
type AttemptDetailsProps = { attempt: Attempt; bodyText: string | null };

/** What was sent in an attempt, what came back, and how long each part took. */
export function AttemptDetails({ attempt, bodyText }: AttemptDetailsProps) {
  const { request_headers: headers, url } = attempt;
  return (
    <Stack gap="sm" py="xs">
      <Group justify="space-between">
        <Text size="sm">
          {describeAttempt(attempt)} {attempt.error && <span className="mono">{attempt.error}</span>}
        </Text>
        {headers && bodyText !== null && (
          <CopyButtonWithText value={curlOf({ url, headers, body: bodyText })} label="Copy as curl" />
        )}
      </Group>
      <Timings attempt={attempt} />
      {headers && <HeaderTable label="Request headers" headers={headers} />}
      {attempt.response_headers && <HeaderTable label="Response headers" headers={attempt.response_headers} />}
      {attempt.response_body && (
        <Code
          label={attempt.response_body_truncated ? 'Beginning of the response body' : 'Response body'}
          language="json"
          text={attempt.response_body}
          maxHeight={300}
        />
      )}
      {headers && (
        <Text size="xs" c="dimmed">
          The command does not contain the query string of the URL or the value of the Authorization header. A receiver
          that checks the timestamp rejects the signature after five minutes.
        </Text>
      )}
    </Stack>
  );
}

function Timings({ attempt }: { attempt: Attempt }) {
  const { dns_ms, connect_ms, tls_ms, first_byte_ms } = attempt.timings;
  const parts: [string, number | null][] = [
    ['DNS', dns_ms],
    ['connect', connect_ms],
    ['TLS', tls_ms],
    ['first byte', first_byte_ms],
    ['total', attempt.duration_ms],
  ];
  const known = parts.flatMap(([name, ms]) => (ms === null ? [] : [`${name} ${formatNumber(ms)} ms`]));
  const isReused = first_byte_ms !== null && connect_ms === null;
  return (
    <Text size="sm" c="dimmed">
      {[...(isReused ? ['open connection'] : []), ...known].join(', ')}
    </Text>
  );
}

function HeaderTable({ label, headers }: { label: string; headers: Record<string, string> }) {
  return (
    <Table aria-label={label} captionSide="top" variant="vertical" layout="fixed" highlightOnHover={false}>
      <Table.Caption>{label}</Table.Caption>
      <Table.Tbody>
        {Object.entries(headers).map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th w={190} className="mono" style={{ wordBreak: 'break-all' }}>
              {name}
            </Table.Th>
            <Table.Td className="mono" style={{ wordBreak: 'break-all' }}>
              {value}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
