import { Group, Stack, Table, Text } from '@mantine/core';
import type { ResponseBody } from '../api/operations.ts';
import { Code } from '../kit/code.tsx';
import { CopyButtonWithText } from '../kit/copy.tsx';
import { formatList, formatMilliseconds } from '../kit/format.ts';
import { describeAttempt } from '../webhooks/describe.ts';
import { useMessages } from '../messages/use-messages.ts';
import { curlOf } from './curl.ts';

type Attempt = ResponseBody<'getDelivery'>['attempts'][number];
type AttemptDetailsProps = { attempt: Attempt; bodyText: string | null };

/** What was sent in an attempt, what came back, and how long each part took. */
export function AttemptDetails({ attempt, bodyText }: AttemptDetailsProps) {
  const t = useMessages();
  const { request_headers: headers, url } = attempt;
  return (
    <Stack gap="sm" py="xs">
      <Group justify="space-between">
        <Text size="sm">
          {describeAttempt(t, attempt)} {attempt.error && <span className="mono">{attempt.error}</span>}
        </Text>
        {headers && bodyText !== null && (
          <CopyButtonWithText value={curlOf({ url, headers, body: bodyText })} label={t('deliveries.copyCurl')} />
        )}
      </Group>
      <Timings attempt={attempt} />
      <Text className="mono" hiddenFrom="sm" style={{ overflowWrap: 'anywhere' }}>
        {url}
      </Text>
      {headers && <HeaderTable label={t('deliveries.requestHeaders')} headers={headers} />}
      {attempt.response_headers && (
        <HeaderTable label={t('deliveries.responseHeaders')} headers={attempt.response_headers} />
      )}
      {attempt.response_body && (
        <Code
          label={attempt.response_body_truncated ? t('deliveries.responseStart') : t('deliveries.responseBody')}
          language="json"
          text={attempt.response_body}
          maxHeight={300}
        />
      )}
      {headers && (
        <Text size="xs" c="dimmed">
          {t('deliveries.curlHelp')}
        </Text>
      )}
    </Stack>
  );
}

function Timings({ attempt }: { attempt: Attempt }) {
  const t = useMessages();
  const { dns_ms, connect_ms, tls_ms, first_byte_ms } = attempt.timings;
  const isReused = first_byte_ms !== null && connect_ms === null;
  const parts = [
    isReused ? t('deliveries.timing.open') : null,
    dns_ms === null ? null : t('deliveries.timing.dns', { time: formatMilliseconds(dns_ms) }),
    connect_ms === null ? null : t('deliveries.timing.connect', { time: formatMilliseconds(connect_ms) }),
    tls_ms === null ? null : t('deliveries.timing.tls', { time: formatMilliseconds(tls_ms) }),
    first_byte_ms === null ? null : t('deliveries.timing.firstByte', { time: formatMilliseconds(first_byte_ms) }),
    t('deliveries.timing.total', { time: formatMilliseconds(attempt.duration_ms) }),
  ];
  return (
    <Text size="sm" c="dimmed">
      {formatList(parts.filter((part) => part !== null))}
    </Text>
  );
}

function HeaderTable({ label, headers }: { label: string; headers: Record<string, string> }) {
  return (
    <Table
      className="stacked"
      aria-label={label}
      captionSide="top"
      variant="vertical"
      layout="fixed"
      highlightOnHover={false}
    >
      <Table.Caption ta="start">{label}</Table.Caption>
      <Table.Tbody>
        {Object.entries(headers).map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th w={190} className="mono" style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Table.Th>
            <Table.Td className="mono" style={{ overflowWrap: 'anywhere' }}>
              {value}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
