import { type ValueFault, valueFaults } from '@aisle/contract/value-faults';

type Texts = { readonly [Fault in ValueFault as `value.${Fault}`]: (typeof valueFaults)[Fault] };

/** Why a value was rejected, in the words of the API. */
const texts = Object.fromEntries(Object.entries(valueFaults).map(([code, text]) => [`value.${code}`, text])) as Texts;

export const values = {
  ...texts,
  'value.ofField': '{field} {reason}',
  'value.several': '{first}; {next}',
} as const;
