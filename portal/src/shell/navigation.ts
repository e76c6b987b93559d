import {
  IconAdjustments,
  IconBuildingStore,
  IconHome,
  IconKey,
  IconListDetails,
  IconPlugConnected,
  IconShoppingBag,
  IconUsers,
} from '@tabler/icons-react';

/** What stands in the navigation, in order. A new feature adds its lines here and its pages in `router.tsx`. */
export const navigation = [
  { group: undefined, links: [{ to: '/', label: 'Home', icon: IconHome }] },
  {
    group: 'Assortment',
    links: [
      { to: '/catalog', label: 'Catalog', icon: IconShoppingBag },
      { to: '/jobs', label: 'Jobs', icon: IconListDetails },
    ],
  },
  {
    group: 'Integration',
    links: [
      { to: '/integration/tokens', label: 'API tokens', icon: IconKey },
      { to: '/integration/clients', label: 'Client credentials', icon: IconPlugConnected },
      { to: '/integration/profile', label: 'Profile', icon: IconAdjustments },
    ],
  },
  {
    group: 'Settings',
    links: [
      { to: '/settings/users', label: 'Users', icon: IconUsers },
      { to: '/settings/stores', label: 'Stores', icon: IconBuildingStore },
    ],
  },
] as const;
