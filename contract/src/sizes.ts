/** How long a SKU may be, in characters. Apart from the schemas, for threads that need no more than this. */
export const skuLength = 64;
