import { sendJson } from './http.ts';

type HeaderFields = Record<string, string>;

export type Setup = {
  currency: string;
  regionId: string;
  salesChannelId: string;
  locationId: string;
  shippingProfileId: string;
  shippingOptionId: string;
  adminHeaders: HeaderFields;
  storeHeaders: HeaderFields;
};

type Id = { id: string };

const currency = 'aed';

export async function logIn(url: string, email: string, password: string): Promise<HeaderFields> {
  const path = `${url}/auth/user/emailpass`;
  const { body } = await sendJson<{ token: string }>('POST', path, {}, { email, password });
  return { authorization: `Bearer ${body.token}` };
}

/** Creates what an order needs: a region with a tax rate, a sales channel, a stock location and a shipping option. */
export async function setUpStore(url: string, adminHeaders: HeaderFields): Promise<Setup> {
  const post = async <Result>(path: string, body: object): Promise<Result> =>
    (await sendJson<Result>('POST', `${url}/admin${path}`, adminHeaders, body)).body;
  const { region } = await post<{ region: Id }>('/regions', {
    name: 'Emirates',
    currency_code: currency,
    countries: ['ae'],
    payment_providers: ['pp_system_default'],
  });
  await post('/tax-regions', {
    country_code: 'ae',
    provider_id: 'tp_system',
    default_tax_rate: { rate: 5, code: 'vat', name: 'VAT' },
  });
  const { sales_channel: channel } = await post<{ sales_channel: Id }>('/sales-channels', { name: 'Bench' });
  const { stock_location: location } = await post<{ stock_location: Id }>('/stock-locations', { name: 'Store' });
  await post(`/stock-locations/${location.id}/sales-channels`, { add: [channel.id] });
  const { shipping_profile: profile } = await post<{ shipping_profile: Id }>('/shipping-profiles', {
    name: 'Bench',
    type: 'bench',
  });
  const shippingOptionId = await createShippingOption(post, location.id, profile.id);
  const { api_key: key } = await post<{ api_key: Id & { token: string } }>('/api-keys', {
    title: 'Bench',
    type: 'publishable',
  });
  await post(`/api-keys/${key.id}/sales-channels`, { add: [channel.id] });
  return {
    currency,
    regionId: region.id,
    salesChannelId: channel.id,
    locationId: location.id,
    shippingProfileId: profile.id,
    shippingOptionId,
    adminHeaders,
    storeHeaders: { 'x-publishable-api-key': key.token },
  };
}

async function createShippingOption(
  post: <Result>(path: string, body: object) => Promise<Result>,
  locationId: string,
  profileId: string,
): Promise<string> {
  const provider = 'manual_manual';
  await post(`/stock-locations/${locationId}/fulfillment-providers`, { add: [provider] });
  const { stock_location: location } = await post<{ stock_location: { fulfillment_sets: Id[] } }>(
    `/stock-locations/${locationId}/fulfillment-sets?fields=id,fulfillment_sets.id`,
    { name: 'Delivery', type: 'shipping' },
  );
  const { fulfillment_set: set } = await post<{ fulfillment_set: { service_zones: Id[] } }>(
    `/fulfillment-sets/${location.fulfillment_sets[0]?.id}/service-zones?fields=id,service_zones.id`,
    { name: 'Emirates', geo_zones: [{ type: 'country', country_code: 'ae' }] },
  );
  const { shipping_option: option } = await post<{ shipping_option: Id }>('/shipping-options', {
    name: 'Delivery',
    service_zone_id: set.service_zones[0]?.id,
    shipping_profile_id: profileId,
    provider_id: provider,
    price_type: 'flat',
    type: { label: 'Delivery', description: 'Delivery', code: 'delivery' },
    prices: [{ currency_code: currency, amount: 5 }],
    rules: [],
  });
  return option.id;
}
