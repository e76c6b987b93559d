/** The maximum length of a SKU in characters. In a file of its own, so that threads need not load the schemas. */
export const skuLength = 64;
