import { fillTemplate, recognizeTemplate, type TemplateValues } from './templates.ts';

/**
 * Why a value is rejected, as templates: the reasons that people see in forms and files. Often, the name of the field
 * stands before them. Like the reasons in `file-faults.ts`, clients can recognize them, by the first template that fits.
 */
export const valueFaults = {
  required: 'is required',
  true_or_false: 'must be true or false',
  whole: 'must be a whole number',
  whole_range: 'must be a whole number from {min} to {max}, or null',
  number_range: 'must be a number from {min} to {max}',
  small_price: 'must be 0 or at least {min}: smaller prices would be truncated to 0',
  ambiguous_number: 'can be read in two ways: write 1234 or 1.234 instead of 1,234',
  minimum: 'must be at least {min}',
  value_digits: 'must be at most {max}, because code_digits and value_digits together can be at most {total}',
  maximum: 'must be at most {max}',
  text_length: 'must be a string of {min} to {max} characters',
  one_character: 'must have at least 1 character',
  min_characters: 'must have at least {min} characters',
  max_characters: 'must have at most {max} characters',
  digits: 'must be a string of {min} to {max} digits',
  outer_space: 'must not start or end with a space',
  bad_character: 'must not contain U+0000 or an unpaired surrogate',
  blank: 'must not be blank',
  email: 'must be an email address',
  one_of: 'must be one of {values}',
  past: 'must be in the future',
  number: 'must be a number',
  whole_between: 'must be a whole number from {min} to {max}',
  repeated: 'must not be repeated',
  repeated_prefix: 'has an entry for {prefix} already',
  one_item: 'must have at least 1 item',
  min_items: 'must have at least {min} items',
  max_items: 'must have at most {max} items',
  max_locales: 'must have at most {max} locales',
  max_skus: 'must have at most {max} SKUs, each counted once per vendor',
  name_missing: 'must have a name in at least one locale',
  active_required: 'is required for an active promotion',
  bundle_required: 'is required for a bundle',
  after_start: 'must be after start_time',
  past_now: 'must be in the future; the current time is {now}',
  time: 'must be a valid time such as 2026-05-04T09:30:00Z',
  time_of_day: 'must be a time of day such as 08:00',
  date: 'must be a date such as `2026-05-04`',
  time_zone: 'must be a valid time zone name such as Asia/Dubai',
  currency: 'must be a currency code such as `AED`',
  iso_currency: 'must be a valid ISO 4217 currency code such as AED',
  country: 'must be a country code such as `SG`',
  iso_country: 'must be a valid ISO 3166-1 alpha-2 country code such as SG',
  locale: 'must be a locale such as `en_SG` or `ar_AE`',
  upper_case: 'must be an uppercase word such as `OVERSTOCK`, with at most 64 letters, digits or underscores',
  store_number: 'must not contain spaces or any of `/ ? # % *`',
  category_id: 'must not contain spaces or commas',
  category_used: 'these categories still contain products: {names}',
  foreign_store: 'is not a vendor of this chain',
  same_password: 'must be different from the current password',
  url: 'must be a URL such as https://hooks.example.com/aisle',
  url_scheme: 'must begin with http:// or https://',
  url_login: 'must not contain a user name or password',
  private_address: 'must not be a private, loopback or reserved address',
  environment_url: 'is required because the environment is {environment}',
  header_value: 'must be printable ASCII text that does not begin or end with a space',
  sftp_name: 'must start with a letter and have up to 32 lowercase letters (a to z), digits or hyphens',
  private_key: 'must be the public key (the .pub file); the private key must stay on your computer',
  public_key: 'must be one line with a public key in OpenSSH format, such as "ssh-ed25519 AAAA… comment"',
  incomplete_key: 'is damaged: the part after "{type}" is not a complete key of this type',
  damaged_key: 'is damaged: its content does not match its type',
  short_rsa_key: 'is an RSA key with {bits} bits; at least {min} are required',
  long_rsa_key: 'is an RSA key with {bits} bits; at most {max} are allowed',
  large_rsa_exponent: 'is an RSA key with an unusual public exponent; generate a key with the exponent 65537',
  key_type: 'has the type "{type}"; allowed are {allowed}',
  key_required: 'must contain at least one key if password_login is false, because the user could not log in',
  no_password: 'cannot be set to true, because the user has no password; reset the password to get one',
  file_name: 'must have 1 to {max} characters, without slashes, backslashes or control characters',
  row_columns: 'the row has more than {max} columns',
  extra_columns: 'the row has more columns than the first line, which has {count}',
  bad_bytes: 'column {column} contains bytes that are not valid UTF-8',
  localized_text:
    'must be a string of at most {max} characters, or an object with one such string per locale, for example {example}',
  category_ids: 'must be an array of at most 50 category ids',
  image_urls: 'must be an array of at most 50 https URLs',
  weights: 'must contain {fields}, each a number from 0 to {max} (KG)',
  product_size: 'title, description and images together must have at most {max} KiB',
} as const;
export type ValueFault = keyof typeof valueFaults;

export function describeValue(code: ValueFault, values: TemplateValues = {}): string {
  return fillTemplate(valueFaults[code], values);
}

/** Also recognizes a text that starts with the name of the field. */
export function recognizeValue(
  text: string,
): { field?: string; code: ValueFault; values: Record<string, string> } | undefined {
  const found = recognizeReason(text);
  if (found) return found;
  const [, field, rest] = /^(\S+) (.+)$/s.exec(text) ?? [];
  const inner = rest === undefined ? undefined : recognizeReason(rest);
  return inner && field !== undefined ? { field, ...inner } : undefined;
}

/** A semicolon in a value separates it from the next reason, so the text is more than one reason. */
function recognizeReason(text: string): ReturnType<typeof recognizeTemplate<ValueFault>> {
  const found = recognizeTemplate(valueFaults, text);
  return found && Object.values(found.values).some((value) => value.includes('; ')) ? undefined : found;
}
