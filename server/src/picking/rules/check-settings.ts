import type { InputError } from '@aisle/contract/common';
import { type EmbeddedBarcodeRule, maxEmbeddedDigits } from '@aisle/contract/embedded-barcode';

/** Finds barcode layouts that do not fit into an EAN-13, and prefixes with more than one layout. */
export function checkBarcodeRules(rules: readonly EmbeddedBarcodeRule[]): InputError[] {
  return rules.flatMap((rule, index) => {
    const isRepeated = rules.slice(0, index).some(({ prefix }) => prefix === rule.prefix);
    const at = `/embedded_barcodes/${index}`;
    const errors: InputError[] = [];
    if (isRepeated) {
      errors.push({ pointer: `${at}/prefix`, code: 'repeated', message: `has an entry for ${rule.prefix} already` });
    }
    if (rule.code_digits + rule.value_digits > maxEmbeddedDigits) {
      const message = `must be at most ${maxEmbeddedDigits - rule.code_digits}, because code_digits and value_digits together can be at most ${maxEmbeddedDigits}`;
      errors.push({ pointer: `${at}/value_digits`, code: 'out_of_range', message });
    }
    return errors;
  });
}
