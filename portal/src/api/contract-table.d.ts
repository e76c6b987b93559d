/** Made by `vite.config.ts` from the contract. */
declare module 'virtual:contract-table' {
  export const table: Record<string, { method: string; path: string; role: import('@aisle/contract/route').Role }>;
}
