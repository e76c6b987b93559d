import { Box, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMessages } from '../messages/use-messages.ts';
import { Copy } from './copy.tsx';
import classes from './code.module.css';

type CodeProps = {
  text: string;
  language: 'json' | 'shell' | 'typescript';
  label: string;
  maxHeight?: number;
  /** Whether long lines are wrapped instead of scrolled. */
  isWrapped?: boolean;
};

/** Syntax-highlighted code with a copy button. */
export function Code({ text, language, label, maxHeight, isWrapped }: CodeProps) {
  const t = useMessages();
  return (
    <Box className={classes['frame']}>
      <Group justify="space-between" wrap="nowrap" className={classes['head']}>
        <Text size="xs" fw={600} c="dimmed" dir="auto" style={{ overflowWrap: 'anywhere', minWidth: 0 }}>
          {label}
        </Text>
        <Copy value={text} label={t('kit.copyWhat', { what: label })} />
      </Group>
      <pre
        className={classes['code']}
        data-wrapped={isWrapped}
        dir="auto"
        style={{ maxHeight }}
        tabIndex={0}
        aria-label={label}
      >
        <code>{color(text, language)}</code>
      </pre>
    </Box>
  );
}

const grammar = {
  json: /(?<key>"(?:[^"\\]|\\.)*")(?=\s*:)|(?<string>"(?:[^"\\]|\\.)*")|(?<number>-?\b\d[\d.eE+-]*\b)|(?<word>\b(?:true|false|null)\b)/g,
  shell:
    /(?<comment>^\s*#.*$)|(?<string>'[^']*'|"(?:[^"\\]|\\.)*")|(?<word>^(?:curl|npm|node)\b)|(?<key>(?<=\s)-{1,2}[\w-]+)/gm,
  typescript:
    /(?<comment>\/\/.*$)|(?<string>'(?:[^'\\]|\\.)*'|`[^`]*`)|(?<word>\b(?:const|await|import|from|for|of|return|async|function|if|new|type)\b)|(?<number>\b\d[\d.]*\b)/gm,
};

function color(text: string, language: CodeProps['language']): ReactNode[] {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(grammar[language])) {
    const kind = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined)?.[0] ?? 'string';
    parts.push(
      text.slice(end, match.index),
      <span key={match.index} className={classes[kind]}>
        {match[0]}
      </span>,
    );
    end = match.index + match[0].length;
  }
  return [...parts, text.slice(end)];
}
