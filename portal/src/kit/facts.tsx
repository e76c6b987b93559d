import { SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';

export type Fact = [label: string, value: ReactNode];

/** Labels with their values, in columns. */
export function Facts({ facts }: { facts: Fact[] }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} verticalSpacing="sm">
      {facts.map(([label, value]) => (
        <div key={label}>
          <Text size="xs" c="dimmed">
            {label}
          </Text>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {value}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  );
}
