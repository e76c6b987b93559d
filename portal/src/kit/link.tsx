import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ReactNode } from 'react';

type Rest = { children?: ReactNode; href?: string; title?: string };

/** A router link that looks like a Mantine link. */
export const TextLink = createLink((props: AnchorProps & Rest) => <Anchor {...props} />);
/** A link inside a sentence. It is underlined because color alone is not accessible. */
export const InlineLink = createLink((props: AnchorProps & Rest) => (
  <Anchor underline="always" c="inherit" inherit {...props} />
));
/** A link to a page of the documentation, inside a sentence. */
export function DocsLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Anchor href={`/docs/${to}`} target="_blank" rel="noreferrer" underline="always" c="inherit" inherit>
      {children}
    </Anchor>
  );
}

/** The link in a table row that opens the row's details. */
export const RowLink = createLink((props: AnchorProps & Rest) => (
  <Anchor size="sm" fw={500} underline="never" {...props} className={`row-link ${props.className ?? ''}`} />
));
export const ButtonLink = createLink((props: ButtonProps & Rest) => <Button component="a" {...props} />);
