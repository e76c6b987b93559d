/** The roles in words, the mightiest first. */
export const roleWords = [
  { role: 'OWNER', title: 'Owner', about: 'Everything, also tokens, webhooks, users and settings.' },
  {
    role: 'MANAGER',
    title: 'Manager',
    about: 'Runs the business: catalog, promotions, orders, test orders. No tokens, users or settings.',
  },
  { role: 'VIEWER', title: 'Viewer', about: 'Sees everything, changes nothing.' },
] as const;
