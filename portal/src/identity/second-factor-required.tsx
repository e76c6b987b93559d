import { useMessages } from '../messages/use-messages.ts';
import { Requirement } from './requirement.tsx';
import { SecondFactor } from './second-factor.tsx';

/** For an owner whose chain requires a second factor. */
export function SecondFactorRequired() {
  const t = useMessages();
  return (
    <Requirement title={t('factor.setUpTitle')} reason={t('factor.required')}>
      <SecondFactor />
    </Requirement>
  );
}
