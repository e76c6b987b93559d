import { type Role, roles } from '@aisle/contract/route';

/** The roles, starting with the one that has the most permissions. */
export const roleChoices = roles.toReversed();

export const roleLabels: Record<Role, { title: string; about: string }> = {
  OWNER: { title: 'Owner', about: 'Full access, including tokens, webhooks, users and settings.' },
  MANAGER: {
    title: 'Manager',
    about: 'Catalog, promotions, orders and test orders. No tokens, webhooks, users or settings.',
  },
  VIEWER: { title: 'Viewer', about: 'Read-only access.' },
  PICKER: { title: 'Picker', about: 'Can only see and pick the orders of their stores.' },
};
