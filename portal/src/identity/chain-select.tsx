import { Select, type SelectProps } from '@mantine/core';
import { useMessages } from '../messages/use-messages.ts';

type ChainSelectProps = Omit<SelectProps, 'data'> & { chains: { chain_id: string; name: string }[] };

/** For people who belong to several chains. Few do, so the sign-in page loads it only when it is needed. */
export function ChainSelect({ chains, ...props }: ChainSelectProps) {
  const t = useMessages();
  const data = chains.map(({ chain_id, name }) => ({ value: chain_id, label: name }));
  return <Select label={t('signIn.chain')} description={t('signIn.chainHelp')} data={data} {...props} />;
}
