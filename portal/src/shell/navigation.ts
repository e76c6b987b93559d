import {
  IconAdjustments,
  IconArrowsExchange,
  IconBarcode,
  IconBuildingStore,
  IconCertificate,
  IconChartBar,
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

/** The links in the navigation, with the keys of their texts. For a new feature, add its links here and its pages to `router.tsx`. */
export const navigation = [
  {
    group: undefined,
    links: [
      { to: '/', label: 'nav.home', icon: IconHome },
      { to: '/orders', label: 'nav.orders', icon: IconReceipt },
      { to: '/numbers', label: 'nav.numbers', icon: IconChartBar },
    ],
  },
  {
    group: 'nav.assortment',
    links: [
      { to: '/catalog', label: 'nav.catalog', icon: IconShoppingBag },
      { to: '/promotions', label: 'nav.promotions', icon: IconDiscount },
      { to: '/files', label: 'nav.files', icon: IconFileTypeCsv },
      { to: '/jobs', label: 'nav.jobs', icon: IconListDetails },
    ],
  },
  {
    group: 'nav.integration',
    links: [
      { to: '/integration/webhooks', label: 'nav.webhooks', icon: IconWebhook },
      { to: '/integration/deliveries', label: 'nav.deliveries', icon: IconSend },
      { to: '/integration/requests', label: 'nav.requests', icon: IconArrowsExchange },
      { to: '/integration/tokens', label: 'nav.tokens', icon: IconKey },
      { to: '/integration/clients', label: 'nav.clients', icon: IconPlugConnected },
      { to: '/integration/sftp', label: 'nav.sftp', icon: IconServer2 },
      { to: '/integration/profile', label: 'nav.profile', icon: IconAdjustments },
    ],
  },
  {
    group: 'nav.testing',
    links: [
      { to: '/test-order', label: 'nav.testOrder', icon: IconTestPipe },
      { to: '/sandbox', label: 'nav.sandbox', icon: IconMoped },
      { to: '/certification', label: 'nav.certification', icon: IconCertificate },
    ],
  },
  {
    group: 'nav.settings',
    links: [
      { to: '/settings/users', label: 'nav.users', icon: IconUsers, needsAllStores: true },
      { to: '/settings/stores', label: 'nav.stores', icon: IconBuildingStore },
      { to: '/settings/barcodes', label: 'nav.barcodes', icon: IconBarcode },
    ],
  },
] as const;
