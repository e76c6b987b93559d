import type { InputError } from '@aisle/contract/common';
import { type EmbeddedBarcodeRule, maxEmbeddedDigits } from '@aisle/contract/embedded-barcode';
import { describeValue } from '@aisle/contract/value-faults';

/** Finds barcode layouts that do not fit into an EAN-13, and prefixes with more than one layout. */
export function checkBarcodeRules(rules: readonly EmbeddedBarcodeRule[]): InputError[] {
  return rules.flatMap((rule, index) => {
    const isRepeated = rules.slice(0, index).some(({ prefix }) => prefix === rule.prefix);
    const at = `/embedded_barcodes/${index}`;
    const errors: InputError[] = [];
    if (isRepeated) {
      const message = describeValue('repeated_prefix', { prefix: rule.prefix });
      errors.push({ pointer: `${at}/prefix`, code: 'repeated', message });
    }
    if (rule.code_digits + rule.value_digits > maxEmbeddedDigits) {
      const max = maxEmbeddedDigits - rule.code_digits;
      const message = describeValue('value_digits', { max, total: maxEmbeddedDigits });
      errors.push({ pointer: `${at}/value_digits`, code: 'out_of_range', message });
    }
    return errors;
  });
}
