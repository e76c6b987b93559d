export type Place = 'error' | 'warning' | 'item' | 'job';

/** The codes for items in jobs and for failed jobs; see `sub-codes.ts`. */
export const jobSubCodes = {
  nothing_to_update: {
    in: ['error', 'item'],
    meaning: 'The item has no fields other than `sku`.',
    remedy: 'Send at least one field to change.',
  },
  requires_all_vendors: {
    in: ['error', 'item'],
    meaning:
      "The item changes the barcodes, title, description, images, categories or weights of the chain's product, which all stores share, but the credential is limited to some vendors.",
    remedy: 'Leave out the field that `message` refers to, or use a credential for all vendors.',
  },
  product_not_found: {
    in: ['item'],
    meaning: 'The vendor has no product with this SKU.',
    remedy: 'Check the SKU, or create the product first.',
  },
  category_not_found: {
    in: ['item'],
    meaning: '`categories` contains an id that does not belong to a category of this chain.',
    remedy: 'Remove the id, or ask the operator to add the category.',
  },
  catalog_limit_reached: {
    in: ['item'],
    meaning:
      'The new products of the chunk, or its new offers (product × store), do not fit into the limit given in `message`, so none of them was created.',
    remedy: 'Ask the operator to raise the limit. Existing products can still be updated.',
  },
  vendor_not_found: {
    in: ['item'],
    meaning: 'The id in `vendors` does not belong to a vendor of this chain.',
    remedy: 'Use the platform id or external id of a vendor of this chain.',
  },
  price_jump: {
    in: ['item'],
    meaning: 'In a preview: the price changes by half or more.',
    remedy: 'Check the price. The item is applied if you apply the preview.',
  },
  price_to_zero: {
    in: ['item'],
    meaning: 'In a preview: the price becomes 0.',
    remedy: 'Check the price. The item is applied if you apply the preview.',
  },
  stock_to_zero: {
    in: ['item'],
    meaning: 'In a preview: the stock becomes 0, as in most of the rows that are checked with this one.',
    remedy: 'Check that the file is complete. The item is applied if you apply the preview.',
  },
  repeated_sku: {
    in: ['item'],
    meaning: 'In a preview: an earlier row has the same SKU, and this row is used.',
    remedy: 'Send each SKU once.',
  },
  given_again: {
    in: ['item'],
    meaning:
      'The SKU occurs more than once. An update uses the last occurrence, and a product creation uses the first.',
    remedy: 'Send each SKU once.',
  },
  superseded_by_single_update: {
    in: ['item'],
    meaning: 'A single-product update of this SKU was accepted after the job, so the job did not change the product.',
    remedy: 'Nothing to do; the newer values are in effect.',
  },
  changed_since: {
    in: ['item'],
    meaning: 'The job reverts another job, but the product has been changed since then. `errors` says by what.',
    remedy: 'Nothing to do; the newer values are in effect. To change them anyway, send an update.',
  },
  already_exists: {
    in: ['item'],
    meaning: 'The vendor already has the SKU; the product was not changed.',
    remedy: 'Use an update to change the product.',
  },
  not_in_promotion: {
    in: ['item'],
    meaning: 'The SKU could not be removed because it is not in the promotion.',
    remedy: 'Nothing to do; check the SKU if you expected it in the promotion.',
  },
  bundle_sold_by_weight: {
    in: ['item'],
    meaning: 'The product is sold by weight, but bundles only work for products sold by unit.',
    remedy: 'Use STRIKETHROUGH for the product, or leave out the SKU.',
  },
  discount_not_below_price: {
    in: ['item'],
    meaning: "The discounted price is at or above the vendor's price.",
    remedy: 'Lower the discounted price, or leave out the SKU.',
  },
  nothing_applied: {
    in: ['job'],
    meaning: 'Every item in the job was rejected.',
    remedy: 'Fix the problems listed in the result file, and send the items again.',
  },
  unreadable_file: {
    in: ['item', 'job'],
    meaning:
      'The uploaded file could not be read beyond the line given in `message`. Any rows before that line were applied.',
    remedy: 'Fix the line, and upload the file again.',
  },
  cancelled: {
    in: ['job'],
    meaning: 'The scheduled job was cancelled before it was applied.',
    remedy: 'Nothing to do; create a new job to apply the items.',
  },
  storage_limit_reached: {
    in: ['job'],
    meaning:
      'The job was stopped because what is stored for the jobs of the chain is far above the limit. What it had done until then remains.',
    remedy: 'Wait until jobs, files and promotions expire, or ask the operator to raise the limit.',
  },
  promotion_not_found: {
    in: ['job'],
    meaning: 'The chain has no promotion with this type, name, vendors and times, so there is nothing to cancel.',
    remedy: 'Send the same values as when the promotion was created.',
  },
  internal_error: {
    in: ['job'],
    meaning: 'The job failed repeatedly because of an internal error.',
    remedy: 'Send the request again. If the job keeps failing, report the `job_id`.',
  },
} as const satisfies Record<string, { in: readonly Place[]; meaning: string; remedy: string }>;
