import { type FileFault, fileFaults } from '@aisle/contract/file-faults';

type Texts = { readonly [Fault in FileFault as `fault.${Fault}`]: (typeof fileFaults)[Fault] };

/** Why a file could not be read, in the words of the API. */
export const faults = Object.fromEntries(
  Object.entries(fileFaults).map(([code, text]) => [`fault.${code}`, text]),
) as Texts;
