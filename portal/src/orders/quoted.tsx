import { Text, type TextProps } from '@mantine/core';
import { useMessages } from '../messages/use-messages.ts';

/** A text by the customer, which can be in another language than the page. */
export function Quoted({ text, ...props }: { text: string } & TextProps) {
  return (
    <Text dir="auto" className="own-direction" {...props}>
      {useMessages()('orders.quoted', { text })}
    </Text>
  );
}
