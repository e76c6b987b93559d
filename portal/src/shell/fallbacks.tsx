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

/** A page that could not be read, or a mistake of ours: what it is, and the way on. */
export function PageError({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const router = useRouter();
  const { reset } = useQueryErrorResetBoundary();
  const retry = () => {
    reset();
    onRetry?.();
    void router.invalidate();
  };
  // Without this, what failed is not read again when somebody comes back to the page.
  useEffect(reset, [reset]);
  const { title, text, isPassing } = failureMessage(error);
  const isMissing = error instanceof ApiError && error.status === 404;
  useComeback(isPassing, retry);
  useDocumentTitle(`${title} · Aisle`);
  return (
    <Stack gap="sm" maw={560} py="xl" role="alert">
      <Title order={1}>{title}</Title>
      <Text c="dimmed">{text}</Text>
      {error instanceof ApiError && error.status >= 500 && error.problem.instance && (
        <Text size="sm" c="dimmed">
          If you ask for help, name this request: <span className="mono">{error.problem.instance}</span>
        </Text>
      )}
      <Group mt="xs">
        {!isMissing && <Button onClick={retry}>Try again</Button>}
        <Button component={Link} to="/" variant={isMissing ? 'filled' : 'default'}>
          Go to the start
        </Button>
      </Group>
    </Stack>
  );
}

const waitMs = 3000;

/** Asks every few seconds whether the server is there, and then tries again by itself. */
function useComeback(isPassing: boolean, retry: () => void): void {
  useEffect(() => {
    if (!isPassing) return undefined;
    const timer = setInterval(async () => {
      const response = await fetch('/health/ready').catch(() => undefined);
      if (response?.ok) retry();
    }, waitMs);
    return () => clearInterval(timer);
  }, [isPassing]);
}

export function Missing() {
  useDocumentTitle('There is no such page · Aisle');
  return (
    <Stack gap="sm" py="xl">
      <Title order={1}>There is no such page</Title>
      <Text c="dimmed">The address may have been cut off, or the page has moved.</Text>
      <Group mt="xs">
        <Button component={Link} to="/">
          Go to the start
        </Button>
      </Group>
    </Stack>
  );
}
