// In a file of its own, so that threads need not load the schemas.

/** The maximum length of a SKU in characters. */
export const skuLength = 64;

/** How many failures, and how many items of every other kind, the response of a job lists. Its file has all of them. */
export const maxFeedback = 1000;

/** The largest whole number that a column can store, and the largest amount of money. */
export const maxInteger = 2_147_483_647;
export const maxMoney = 9_999_999.999;
