import { Anchor, Group, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconCheck, IconCircleDashed, IconMinus, IconX } from '@tabler/icons-react';
import type { ResponseBody } from '../api/operations.ts';
import { curlOf } from '../deliveries/curl.ts';
import { Code } from '../kit/code.tsx';
import { CopyButtonWithText } from '../kit/copy.tsx';
import { humanize } from '../kit/format.ts';
import { InlineLink } from '../kit/link.tsx';
import classes from './certification.module.css';

type Step = ResponseBody<'getCertification'>['scenarios'][number]['steps'][number];
type FailedRequest = NonNullable<Step['request']>;

/** The steps of a scenario: what was expected, what happened, and why. */
export function ScenarioSteps({ steps }: { steps: Step[] }) {
  return (
    <Stack gap="md" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
      {steps.map((step, index) => (
        <Group key={index} component="li" gap="sm" wrap="nowrap" align="flex-start">
          <Mark status={step.status} />
          <Stack gap={4} style={{ minWidth: 0, flex: 1 }}>
            <Text size="sm" fw={step.status === 'FAILED' ? 600 : 400} c={isOpen(step) ? 'dimmed' : undefined}>
              {step.title}
            </Text>
            {step.status === 'FAILED' && <Failure step={step} />}
            {step.status === 'SKIPPED' && step.actual && (
              <Text size="sm" c="dimmed">
                {step.actual}
              </Text>
            )}
          </Stack>
        </Group>
      ))}
    </Stack>
  );
}

function isOpen({ status }: Step): boolean {
  return status === 'PENDING' || status === 'SKIPPED';
}

const marks = {
  PENDING: { color: 'gray', icon: IconCircleDashed },
  RUNNING: { color: 'blue', icon: IconCircleDashed },
  PASSED: { color: 'teal', icon: IconCheck },
  FAILED: { color: 'red', icon: IconX },
  SKIPPED: { color: 'gray', icon: IconMinus },
};

function Mark({ status }: Pick<Step, 'status'>) {
  const { color, icon: Icon } = marks[status];
  return (
    <ThemeIcon
      size="sm"
      radius="xl"
      variant={status === 'PASSED' || status === 'FAILED' ? 'filled' : 'light'}
      color={color}
      role="img"
      aria-label={humanize(status)}
      mt={2}
    >
      <Icon size={14} />
    </ThemeIcon>
  );
}

function Failure({ step }: { step: Step }) {
  return (
    <Stack gap="xs">
      <dl className={classes['comparison']}>
        {step.expected && (
          <>
            <dt>Expected</dt>
            <dd>{step.expected}</dd>
          </>
        )}
        <dt>Actual</dt>
        <dd>{step.actual}</dd>
        {step.rule && (
          <>
            <dt>Documentation</dt>
            <dd>
              {step.rule}{' '}
              <Anchor href={step.documentation ?? ''} target="_blank" rel="noreferrer" underline="always" inherit>
                Read more
              </Anchor>
            </dd>
          </>
        )}
      </dl>
      {step.request && <Request request={step.request} />}
    </Stack>
  );
}

function Request({ request }: { request: FailedRequest }) {
  const isMessage = request.direction === 'TO_RECEIVER';
  const { headers, url, body } = request;
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text size="sm">
          {isMessage ? 'Message to your webhook' : 'Request from your device'}
          {request.response_status !== null && `, response ${request.response_status}`}.{' '}
          {request.delivery_id && (
            <InlineLink to="/integration/deliveries" search={{ open: request.delivery_id }}>
              View delivery
            </InlineLink>
          )}
          {request.request_id && (
            <InlineLink to="/integration/requests" search={{ term: request.request_id }}>
              View request
            </InlineLink>
          )}
        </Text>
        {isMessage && headers && body !== null && (
          <CopyButtonWithText value={curlOf({ url, headers, body })} label="Copy as curl" />
        )}
      </Group>
      <Code label={`${request.method} ${url}`} language="json" text={describeRequest(request)} maxHeight={280} />
      {!isMessage && body === null && (
        <Text size="xs" c="dimmed">
          To see the body, turn on body recording on the page{' '}
          <InlineLink to="/integration/requests">Requests</InlineLink> and run the scenario again.
        </Text>
      )}
    </Stack>
  );
}

function describeRequest({ headers, body, response_body, error }: FailedRequest): string {
  const lines = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`);
  const parts = [lines.join('\n'), body ?? '', error ?? '', response_body ? `Response: ${response_body}` : ''];
  return parts.filter((part) => part !== '').join('\n\n') || 'The request has no recorded body.';
}
