import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ReactNode } from 'react';

type Rest = { children?: ReactNode; href?: string };

/** A router link that looks like a Mantine link. */
export const TextLink = createLink((props: AnchorProps & Rest) => <Anchor {...props} />);
/** A link inside a sentence. It is underlined because color alone is not accessible. */
export const InlineLink = createLink((props: AnchorProps & Rest) => (
  <Anchor underline="always" c="inherit" inherit {...props} />
));
/** The link in a table row that opens the row's details. */
export const RowLink = createLink((props: AnchorProps & Rest) => (
  <Anchor size="sm" fw={500} underline="never" {...props} className={`row-link ${props.className ?? ''}`} />
));
export const ButtonLink = createLink((props: ButtonProps & Rest) => <Button component="a" {...props} />);
