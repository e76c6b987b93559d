/** What an uploaded file contains. */
export const fileKinds = ['catalog', 'products', 'promotions'] as const;
export type FileKind = (typeof fileKinds)[number];
