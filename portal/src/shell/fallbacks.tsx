import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiError } from '../api/api-error.ts';
import { Rich } from '../messages/rich.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { failureMessage } from './failure-message.ts';

export function PageLoading() {
  const t = useMessages();
  return (
    <Stack gap="md" aria-busy="true" aria-label={t('shell.loading')}>
      <Skeleton height={28} width={220} />
      <Skeleton height={16} width={380} />
      <Skeleton height={320} />
    </Stack>
  );
}

/** Explains why a page cannot be shown and what to do next. */
export function PageError({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const t = useMessages();
  const router = useRouter();
  const { reset } = useQueryErrorResetBoundary();
  const retry = () => {
    reset();
    onRetry?.();
    void router.invalidate();
  };
  // Without this, a failed query is not retried when the user returns to the page.
  useEffect(reset, [reset]);
  const { title, text, isTemporary } = failureMessage(t, error);
  const isMissing = error instanceof ApiError && error.status === 404;
  useAutomaticRetry(isTemporary, retry);
  useDocumentTitle(`${title} · Aisle`);
  return (
    <Stack gap="sm" maw={560} py="xl" role="alert">
      <Title order={1}>{title}</Title>
      <Text c="dimmed" dir="auto" className="own-direction">
        {text}
      </Text>
      {error instanceof ApiError && error.status >= 500 && error.problem.instance && (
        <Text size="sm" c="dimmed">
          <Rich message="shell.requestId" values={{ id: <span className="mono">{error.problem.instance}</span> }} />
        </Text>
      )}
      <Group mt="xs">
        {!isMissing && <Button onClick={retry}>{t('shell.tryAgain')}</Button>}
        <Button component={Link} to="/" variant={isMissing ? 'filled' : 'default'}>
          {t('shell.goHome')}
        </Button>
      </Group>
    </Stack>
  );
}

const pollMs = 3000;

/** Polls the server and retries as soon as the server is available. */
function useAutomaticRetry(isTemporary: boolean, retry: () => void): void {
  useEffect(() => {
    if (!isTemporary) return undefined;
    const timer = setInterval(async () => {
      const response = await fetch('/health/ready').catch(() => undefined);
      if (response?.ok) retry();
    }, pollMs);
    return () => clearInterval(timer);
  }, [isTemporary]);
}

export function Missing() {
  const t = useMessages();
  useDocumentTitle(`${t('shell.missing')} · Aisle`);
  return (
    <Stack gap="sm" py="xl">
      <Title order={1}>{t('shell.missing')}</Title>
      <Text c="dimmed">{t('shell.missingHelp')}</Text>
      <Group mt="xs">
        <Button component={Link} to="/">
          {t('shell.goHome')}
        </Button>
      </Group>
    </Stack>
  );
}
