/** The number of decimal places for an amount in this currency (ISO 4217). */
export function minorDigits(currency: string): 0 | 2 | 3 {
  if (withoutMinorUnit.has(currency)) return 0;
  return withThousandths.has(currency) ? 3 : 2;
}

const withoutMinorUnit = new Set('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '));
const withThousandths = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '));
