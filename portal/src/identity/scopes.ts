import { defaultScopes, type Scope, scopes } from '@aisle/contract/route';

export { defaultScopes, type Scope, scopes };

/** A short description of what each scope allows. */
export const scopeDescriptions: Record<Scope, string> = {
  'catalog:read': 'List products, categories and jobs',
  'catalog:write': 'Update, create and export products',
  'promotions:read': 'List promotions and their jobs',
  'promotions:write': 'Create, change and stop promotions',
  'orders:read': 'Read orders and the event feed',
  'orders:write': 'Fulfil, change and cancel orders',
  'outlets:read': 'List stores and whether they are open',
  'outlets:write': 'Open and close stores',
  manage: 'Manage settings, credentials and webhooks',
  'users:manage': 'Create and change users, reset passwords and second factors, end sessions',
};
