import { defaultScopes, type Scope, scopes } from '@aisle/contract/route';

export { defaultScopes, type Scope, scopes };

/** What each scope opens, in a few words. */
export const scopeWords: Record<Scope, string> = {
  'catalog:read': 'List products, categories and jobs',
  'catalog:write': 'Update, create and export products',
  'promotions:read': 'See promotions and their jobs',
  'promotions:write': 'Create, change and stop promotions',
  'orders:read': 'Read orders and the event feed',
  'orders:write': 'Fulfil, change and cancel orders',
  'outlets:read': 'List stores and whether they are open',
  'outlets:write': 'Open and close stores',
  manage: 'Everything in this portal: tokens, webhooks, users',
};
