import { Anchor, Group, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconCheck, IconCircleDashed, IconMinus, IconX } from '@tabler/icons-react';
import type { ResponseBody } from '../api/operations.ts';
import { curlOf } from '../deliveries/curl.ts';
import { Code } from '../kit/code.tsx';
import { CopyButtonWithText } from '../kit/copy.tsx';
import { humanize } from '../kit/format.ts';
import { InlineLink } from '../kit/link.tsx';
import { Rich } from '../messages/rich.tsx';
import { useMessages } from '../messages/use-messages.ts';
import type { Translate } from '../messages/catalogue.ts';
import classes from './certification.module.css';
import { stepTexts } from './step-texts.ts';

type Step = ResponseBody<'getCertification'>['scenarios'][number]['steps'][number];
type FailedRequest = NonNullable<Step['request']>;

/** The steps of a scenario: what was expected, what happened, and why. */
export function ScenarioSteps({ steps }: { steps: Step[] }) {
  return (
    <Stack gap="md" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
      {steps.map((step, index) => (
        <StepItem key={index} step={step} />
      ))}
    </Stack>
  );
}

function StepItem({ step }: { step: Step }) {
  const { title, actual } = stepTexts(step);
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="flex-start">
      <Mark status={step.status} />
      <Stack gap={4} style={{ minWidth: 0, flex: 1 }}>
        <Text
          size="sm"
          fw={step.status === 'FAILED' ? 600 : 400}
          c={isOpen(step) ? 'dimmed' : undefined}
          dir="auto"
          className="own-direction"
        >
          {title}
        </Text>
        {step.status === 'FAILED' && <Failure step={step} />}
        {step.status === 'SKIPPED' && actual && (
          <Text size="sm" c="dimmed" dir="auto" className="own-direction">
            {actual}
          </Text>
        )}
      </Stack>
    </Group>
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
  const t = useMessages();
  const { expected, actual, rule } = stepTexts(step);
  return (
    <Stack gap="xs">
      <dl className={classes['comparison']}>
        {expected && (
          <>
            <dt>{t('certification.expected')}</dt>
            <dd dir="auto" className="own-direction">
              {expected}
            </dd>
          </>
        )}
        <dt>{t('certification.actual')}</dt>
        <dd dir="auto" className="own-direction">
          {actual}
        </dd>
        {rule && (
          <>
            <dt>{t('certification.documentation')}</dt>
            <dd>
              <bdi>{rule}</bdi>{' '}
              <Anchor href={step.documentation ?? ''} target="_blank" rel="noreferrer" underline="always" inherit>
                {t('certification.readMore')}
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
  const t = useMessages();
  const isMessage = request.direction === 'TO_RECEIVER';
  const { method, headers, url, body } = request;
  const content = describeRequest(t, request);
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text size="sm">
          {describeDirection(t, request)}{' '}
          {request.delivery_id && (
            <InlineLink to="/integration/deliveries" search={{ open: request.delivery_id }}>
              {t('certification.viewDelivery')}
            </InlineLink>
          )}
          {request.request_id && (
            <InlineLink to="/integration/requests" search={{ term: request.request_id }}>
              {t('certification.viewRequest')}
            </InlineLink>
          )}
        </Text>
        {isMessage && headers && body !== null && (
          <CopyButtonWithText value={curlOf({ url, headers, body })} label={t('certification.copyCurl')} />
        )}
      </Group>
      {content === '' ? (
        <div>
          <Text className="mono" style={{ overflowWrap: 'anywhere' }}>{`${method} ${url}`}</Text>
          <Text size="sm">{t('certification.noBody')}</Text>
        </div>
      ) : (
        <Code label={`${method} ${url}`} language="json" text={content} maxHeight={280} />
      )}
      {!isMessage && body === null && (
        <Text size="xs" c="dimmed">
          <Rich
            message="certification.bodyHelp"
            values={{ page: <InlineLink to="/integration/requests">{t('certification.requestsPage')}</InlineLink> }}
          />
        </Text>
      )}
    </Stack>
  );
}

function describeDirection(t: Translate, { direction, response_status: status }: FailedRequest): string {
  const isMessage = direction === 'TO_RECEIVER';
  if (status === null) return t(isMessage ? 'certification.message' : 'certification.request');
  return t(isMessage ? 'certification.messageStatus' : 'certification.requestStatus', { status: String(status) });
}

function describeRequest(t: Translate, { headers, body, response_body, error }: FailedRequest): string {
  const lines = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`);
  const parts = [
    lines.join('\n'),
    body ?? '',
    error ?? '',
    response_body ? t('certification.response', { body: response_body }) : '',
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}
