import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiError } from '../api/api-error.ts';
import { failureMessage } from './failure-message.ts';

export function PageLoading() {
  return (
    <Stack gap="md" aria-busy="true" aria-label="Loading">
      <Skeleton height={28} width={220} />
      <Skeleton height={16} width={380} />
      <Skeleton height={320} />
    </Stack>
  );
}

/** Explains why a page cannot be shown and what to do next. */
export function PageError({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const router = useRouter();
  const { reset } = useQueryErrorResetBoundary();
  const retry = () => {
    reset();
    onRetry?.();
    void router.invalidate();
  };
  // Without this, a failed query is not retried when the user returns to the page.
  useEffect(reset, [reset]);
  const { title, text, isTemporary } = failureMessage(error);
  const isMissing = error instanceof ApiError && error.status === 404;
  useAutomaticRetry(isTemporary, retry);
  useDocumentTitle(`${title} · Aisle`);
  return (
    <Stack gap="sm" maw={560} py="xl" role="alert">
      <Title order={1}>{title}</Title>
      <Text c="dimmed">{text}</Text>
      {error instanceof ApiError && error.status >= 500 && error.problem.instance && (
        <Text size="sm" c="dimmed">
          Request id for support: <span className="mono">{error.problem.instance}</span>
        </Text>
      )}
      <Group mt="xs">
        {!isMissing && <Button onClick={retry}>Try again</Button>}
        <Button component={Link} to="/" variant={isMissing ? 'filled' : 'default'}>
          Go to home
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
  useDocumentTitle('Page not found · Aisle');
  return (
    <Stack gap="sm" py="xl">
      <Title order={1}>Page not found</Title>
      <Text c="dimmed">Check the URL. The page may have been moved.</Text>
      <Group mt="xs">
        <Button component={Link} to="/">
          Go to home
        </Button>
      </Group>
    </Stack>
  );
}
