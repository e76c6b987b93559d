import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ReactNode } from 'react';

type Rest = { children?: ReactNode; href?: string };

/** Router links that look like the links of the component library. */
export const TextLink = createLink((props: AnchorProps & Rest) => <Anchor {...props} />);
/** Inside a sentence: underlined, because color alone is not accessible. */
export const InlineLink = createLink((props: AnchorProps & Rest) => (
  <Anchor underline="always" c="inherit" inherit {...props} />
));
/** The name of a table row, which opens it. */
export const RowLink = createLink((props: AnchorProps & Rest) => (
  <Anchor size="sm" fw={500} underline="never" {...props} className={`row-link ${props.className ?? ''}`} />
));
export const ButtonLink = createLink((props: ButtonProps & Rest) => <Button component="a" {...props} />);
