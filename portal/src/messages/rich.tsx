import { Fragment, type ReactNode } from 'react';
import type { MessageKey, Values } from './catalogue.ts';
import { useMessages } from './use-messages.ts';

type Props<Key extends MessageKey> = { message: Key; values: NonNullable<Values<Key, ReactNode>[0]> };

/**
 * A text with elements as values, such as a link inside a sentence. `count` has to be a number, because it selects the
 * plural form.
 */
export function Rich<Key extends MessageKey>({ message, values }: Props<Key>) {
  const t: (key: MessageKey, values: Record<string, unknown>) => string = useMessages();
  const names = Object.keys(values);
  const nodes: Record<string, ReactNode> = values;
  const isText = (name: string) => typeof nodes[name] === 'string' || typeof nodes[name] === 'number';
  const marked = names.map((name) => [name, isText(name) ? nodes[name] : `${mark}${name}${mark}`]);
  const parts = t(message, Object.fromEntries(marked)).split(mark);
  return parts.map((part, index) => <Fragment key={index}>{index % 2 === 1 ? nodes[part] : part}</Fragment>);
}

/** Surrounds the name of a value that is an element. It does not occur in texts. */
const mark = '\u0000';
