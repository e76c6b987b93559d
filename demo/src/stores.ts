export type Currency = 'AED' | 'KWD';

export type DemoStore = {
  vendor_id: string;
  external_id: string;
  name: string;
  currency: Currency;
  country_code: string;
  locale: string;
  timezone: string;
  transport_type: 'LOGISTICS_DELIVERY' | 'VENDOR_DELIVERY';
};

export const demoChain = { name: 'Saltbush Market', country_code: 'AE', profile: 'strict' } as const;

const emirates = { currency: 'AED', country_code: 'AE', locale: 'en_AE', timezone: 'Asia/Dubai' } as const;
const kuwait = { currency: 'KWD', country_code: 'KW', locale: 'en_KW', timezone: 'Asia/Kuwait' } as const;

const byPlatform = { transport_type: 'LOGISTICS_DELIVERY' } as const;
const byStore = { transport_type: 'VENDOR_DELIVERY' } as const;

export const demoStores: readonly DemoStore[] = [
  { vendor_id: 's8ym', external_id: '1001', name: 'Saltbush Market, Dubai Marina', ...emirates, ...byPlatform },
  { vendor_id: 'k3qd', external_id: '1002', name: 'Saltbush Market, Jumeirah', ...emirates, ...byPlatform },
  { vendor_id: 'a7vt', external_id: '1003', name: 'Saltbush Market, Al Reem Island', ...emirates, ...byStore },
  { vendor_id: 'w2hx', external_id: '2001', name: 'Saltbush Market, Salmiya', ...kuwait, ...byPlatform },
  { vendor_id: 'p9zc', external_id: '2002', name: 'Saltbush Market, Hawalli', ...kuwait, ...byPlatform },
  { vendor_id: 'm4rb', external_id: '2003', name: 'Saltbush Market, Fahaheel', ...kuwait, ...byStore },
];
