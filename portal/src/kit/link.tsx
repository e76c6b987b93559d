import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ReactNode } from 'react';

type Rest = { children?: ReactNode; href?: string };

/** Links to pages of the portal that look like the library's own. */
export const TextLink = createLink((props: AnchorProps & Rest) => <Anchor {...props} />);
/** Within a sentence: told from the text around it by its line, not by its colour alone. */
export const InlineLink = createLink((props: AnchorProps & Rest) => (
  <Anchor underline="always" c="inherit" inherit {...props} />
));
/** What a row of a table is called, and the way into it. */
export const RowLink = createLink((props: AnchorProps & Rest) => (
  <Anchor size="sm" fw={500} underline="never" {...props} className={`row-link ${props.className ?? ''}`} />
));
export const ButtonLink = createLink((props: ButtonProps & Rest) => <Button component="a" {...props} />);
