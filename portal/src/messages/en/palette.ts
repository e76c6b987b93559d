/** The command palette. */
export const palette = {
  'palette.title': 'Search the portal',
  'palette.placeholder': 'Page, order or product',
  'palette.pages': 'Pages',
  'palette.stores': 'Stores',
  'palette.orders': 'Orders',
  'palette.products': 'Products at {store}',
  'palette.jobs': 'Jobs',
  'palette.job': '{type} of {time}',
  'palette.nothing': 'No results',
  'palette.results': { one: '{count} result', other: '{count} results' },
  'palette.searching': 'Searching…',
  'palette.hint': '↑ ↓ to move, Enter to open, Esc to close',
} as const;
