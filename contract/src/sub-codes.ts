import { jobSubCodes, type Place } from './job-sub-codes.ts';

/**
 * More specific codes, one for each kind of problem. They are stable. The meaning and remedy are published in the
 * documentation. `in` says where a code occurs:
 *
 * - `error`: `errors[].code` in a response with status 400
 * - `warning`: `warnings[].code` in the response to a successful order PUT
 * - `item`: the `code` of an item in a job's result file
 * - `job`: the first word of a failed job's `error`
 */
export const subCodes = {
  missing: {
    in: ['error', 'item'],
    meaning: 'A required field or parameter is absent or null.',
    remedy: 'Send the field or parameter.',
  },
  wrong_type: {
    in: ['error', 'item'],
    meaning: 'The value has the wrong JSON type, for example a string instead of a number.',
    remedy: 'Send a value of the type given in `message`.',
  },
  bad_format: {
    in: ['error', 'item'],
    meaning: 'The value has the right type, but not the required format.',
    remedy: 'Use the format given in `message`, for example a UUID or a barcode of 1 to 14 digits.',
  },
  bad_length: {
    in: ['error', 'item'],
    meaning: 'A string is empty or too long.',
    remedy: 'Stay within the length given in `message`.',
  },
  bad_character: {
    in: ['error', 'item'],
    meaning: 'A string contains U+0000 or an unpaired surrogate.',
    remedy: 'Remove the character; it usually comes from a faulty character set conversion.',
  },
  out_of_range: {
    in: ['error', 'item'],
    meaning: 'A number or a time is too small or too large.',
    remedy: 'Use a value in the range given in `message`.',
  },
  too_short: {
    in: ['error'],
    meaning: 'A string has too few characters, or a list has too few entries.',
    remedy: 'Send at least as many as `message` requires.',
  },
  too_long: {
    in: ['error', 'item'],
    meaning: 'A string has too many characters, or a list has too many entries.',
    remedy: 'Send at most as many as `message` allows.',
  },
  weak_password: {
    in: ['error'],
    meaning: 'The password is too easy to guess.',
    remedy: 'Choose another one, for example several unrelated words.',
  },
  too_deep: {
    in: ['error'],
    meaning: 'The document or the category tree is nested too deeply.',
    remedy: 'Use at most the number of levels given in `message`.',
  },
  not_allowed: {
    in: ['error'],
    meaning: 'The value is not allowed here, or the field must be absent.',
    remedy: 'Use one of the values listed in `message`, or leave out the field.',
  },
  unknown_field: {
    in: ['error'],
    meaning: 'The body contains an unknown field. Only routes that change settings or access reject unknown fields.',
    remedy: 'Check the spelling; `message` lists the known fields.',
  },
  not_whole: {
    in: ['error', 'item'],
    meaning: 'A quantity is not a whole number.',
    remedy: 'Send a whole number; only `weight` can be fractional.',
  },
  repeated: {
    in: ['error'],
    meaning: 'A value that can be sent only once was sent more than once.',
    remedy: 'Remove all but one.',
  },
  unknown: {
    in: ['error'],
    meaning: 'The id does not exist in this chain or in this request.',
    remedy: 'Use an existing id.',
  },
  circular: {
    in: ['error'],
    meaning: 'A category is its own ancestor.',
    remedy: 'Change `parent_global_id` so that the categories do not form a cycle.',
  },
  in_use: {
    in: ['error'],
    meaning: 'Categories that the request would remove still contain products.',
    remedy: 'Keep the categories listed in `message`, or move their products first.',
  },
  malformed_json: {
    in: ['error'],
    meaning: 'The body is empty or not valid JSON.',
    remedy: 'Send valid JSON; `detail` says where parsing failed.',
  },
  malformed_utf8: {
    in: ['error'],
    meaning: 'The body is not valid UTF-8.',
    remedy: 'Encode the body in UTF-8.',
  },
  bad_address: {
    in: ['error'],
    meaning: 'Webhooks cannot be sent to this URL.',
    remedy: 'Use a public https URL; `message` says what is wrong with this one.',
  },
  unknown_item: {
    in: ['error'],
    meaning: 'The order has no item with this `_id` or `sku`.',
    remedy: 'Use an `_id` from the order; send a new product as an ADDITION, or with `replaced_id`.',
  },
  sku_mismatch: {
    in: ['error'],
    meaning: 'The `_id` and the `sku` of an entry belong to different items in the order.',
    remedy: 'Send the `sku` of the item, or leave out `sku`.',
  },
  unknown_sku: {
    in: ['error'],
    meaning: "The SKU is not in the store's catalog.",
    remedy: "Use a SKU from the store's catalog, or create the product first.",
  },
  named_twice: {
    in: ['error'],
    meaning: 'Two entries in `items` refer to the same item in the order.',
    remedy: 'Send each item once.',
  },
  missing_items: {
    in: ['error'],
    meaning: 'A fulfilment does not contain every item in the order.',
    remedy: 'Also send the items listed in `message`. Send items that were not found as NOT_FOUND.',
  },
  not_processed: {
    in: ['error'],
    meaning: 'A fulfilment contains an item that is still NOT_PROCESSED.',
    remedy: 'Send the item as IN_CART, NOT_FOUND or REPLACED.',
  },
  nothing_picked: {
    in: ['error'],
    meaning: 'A fulfilment contains no picked items.',
    remedy: 'Cancel the order with the reason ITEM_UNAVAILABLE instead.',
  },
  out_of_bounds: {
    in: ['error'],
    meaning: 'The picked quantity or weight is outside the limits for the item.',
    remedy: 'Stay within the limits given in `message`, or send the item as NOT_FOUND.',
  },
  wrong_pricing_type: {
    in: ['error'],
    meaning: '`pricing_type` does not match how the product is sold.',
    remedy: 'Use UNIT or KG, as stated in `message`.',
  },
  both_prices: {
    in: ['error'],
    meaning: 'An item has both `unit_price` and `total_price`.',
    remedy: 'Send one of them, or neither to keep the price in the order.',
  },
  price_not_allowed: {
    in: ['error'],
    meaning: 'The price of this item cannot be set with this field.',
    remedy: 'Leave out the field that `pointer` refers to.',
  },
  not_replaced: {
    in: ['error'],
    meaning: '`replaced_id` refers to an item that the order does not have, or that is not sent as REPLACED.',
    remedy: 'Use the `_id` of an item in the order, and send that item as REPLACED.',
  },
  replacement_same_sku: {
    in: ['error'],
    meaning: 'An item is replaced with a product that has the same SKU.',
    remedy: 'Send the item as IN_CART with the picked quantity.',
  },
  several_replacements: {
    in: ['error'],
    meaning: 'An item has more than one replacement.',
    remedy: 'Send one replacement; send any other products as ADDITION.',
  },
  replacement_missing: {
    in: ['error'],
    meaning: 'An item is REPLACED, but its replacement was not sent.',
    remedy: 'Send a replacement with `replaced_id`, or send the item as NOT_FOUND.',
  },
  weighted_replacement_off: {
    in: ['error'],
    meaning: 'The store does not allow replacing an item sold by weight with another item sold by weight.',
    remedy: 'Replace the item with a product sold by unit, or ask the operator to change the store setting.',
  },
  inactive: {
    in: ['error'],
    meaning: 'The order contains a product that is not active.',
    remedy: 'Leave out the item, or activate the product.',
  },
  unavailable: {
    in: ['error'],
    meaning: 'The order contains a product that is sold out.',
    remedy: 'Leave out the item.',
  },
  above_maximum: {
    in: ['error'],
    meaning: 'The order contains more than the maximum sales quantity of a product.',
    remedy: 'Order at most the quantity given in `message`.',
  },
  replacement_price_ignored: {
    in: ['warning'],
    meaning: 'The price sent for a replacement was not used.',
    remedy: 'Leave out the price. A replacement costs its catalog price, but not more than the replaced item.',
  },
  replacement_price_capped: {
    in: ['warning'],
    meaning: 'The replacement costs more than the replaced item, so the customer pays the price of the replaced item.',
    remedy: 'Nothing to do; `message` contains both amounts.',
  },
  ...jobSubCodes,
} as const satisfies Record<string, { in: readonly Place[]; meaning: string; remedy: string }>;

type Table = typeof subCodes;
export type SubCode<P extends Place> = {
  [Code in keyof Table]: P extends Table[Code]['in'][number] ? Code : never;
}[keyof Table];

/** Where a code occurs, as worded in the documentation. */
export const places: Record<Place, string> = {
  error: '`errors[].code`',
  warning: '`warnings[].code`',
  item: '`code` in a result file',
  job: '`error` of a job',
};

/** The codes that can occur in this place, in table order. */
export function subCodesIn<P extends Place>(place: P): SubCode<P>[] {
  const isIn = ([, row]: [string, { in: readonly Place[] }]) => row.in.includes(place);
  return Object.entries(subCodes)
    .filter(isIn)
    .map(([code]) => code as SubCode<P>);
}
