import {
  IconAdjustments,
  IconArrowsExchange,
  IconBuildingStore,
  IconCertificate,
  IconDiscount,
  IconFileTypeCsv,
  IconHome,
  IconKey,
  IconListDetails,
  IconMoped,
  IconPlugConnected,
  IconReceipt,
  IconSend,
  IconServer2,
  IconShoppingBag,
  IconTestPipe,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react';

/** The links in the navigation. For a new feature, add its links here and its pages to `router.tsx`. */
export const navigation = [
  {
    group: undefined,
    links: [
      { to: '/', label: 'Home', icon: IconHome },
      { to: '/orders', label: 'Orders', icon: IconReceipt },
    ],
  },
  {
    group: 'Assortment',
    links: [
      { to: '/catalog', label: 'Catalog', icon: IconShoppingBag },
      { to: '/promotions', label: 'Promotions', icon: IconDiscount },
      { to: '/files', label: 'Files', icon: IconFileTypeCsv },
      { to: '/jobs', label: 'Jobs', icon: IconListDetails },
    ],
  },
  {
    group: 'Integration',
    links: [
      { to: '/integration/webhooks', label: 'Webhooks', icon: IconWebhook },
      { to: '/integration/deliveries', label: 'Deliveries', icon: IconSend },
      { to: '/integration/requests', label: 'Requests', icon: IconArrowsExchange },
      { to: '/integration/tokens', label: 'API tokens', icon: IconKey },
      { to: '/integration/clients', label: 'Client credentials', icon: IconPlugConnected },
      { to: '/integration/sftp', label: 'SFTP', icon: IconServer2 },
      { to: '/integration/profile', label: 'API profile', icon: IconAdjustments },
    ],
  },
  {
    group: 'Testing',
    links: [
      { to: '/test-order', label: 'Test order', icon: IconTestPipe },
      { to: '/sandbox', label: 'Sandbox', icon: IconMoped },
      { to: '/certification', label: 'Certification', icon: IconCertificate },
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
