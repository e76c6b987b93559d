import { Button, Container, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Link, useRouter } from '@tanstack/react-router';

export function PageLoading() {
  return (
    <Stack gap="md" aria-busy="true" aria-label="Loading">
      <Skeleton height={28} width={220} />
      <Skeleton height={16} width={380} />
      <Skeleton height={320} />
    </Stack>
  );
}

/** A mistake of ours: say so, and offer the way on. */
export function PageError({ error }: { error: unknown }) {
  const router = useRouter();
  return (
    <Stack gap="sm" maw={560}>
      <Title order={1}>This page could not be shown</Title>
      <Text c="dimmed">{error instanceof Error ? error.message : String(error)}</Text>
      <Group>
        <Button onClick={() => void router.invalidate()}>Try again</Button>
      </Group>
    </Stack>
  );
}

export function Missing() {
  return (
    <Container size="xs" py={80}>
      <Stack gap="sm">
        <Title order={1}>There is no such page</Title>
        <Text c="dimmed">The address may have been cut off, or the page has moved.</Text>
        <Group>
          <Button component={Link} to="/">
            Go to the start
          </Button>
        </Group>
      </Stack>
    </Container>
  );
}
