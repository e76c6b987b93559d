import { graphql } from './graphql.ts';

type Id = { id: string };

export async function logIn(url: string, password: string): Promise<string> {
  const query =
    'mutation ($password: String!) { login(username: "bench", password: $password) { ... on CurrentUser { id } } }';
  const { session } = await graphql<unknown>(`${url}/admin-api`, '', query, { password });
  if (session === '') throw new Error('Vendure did not accept the login.');
  return session;
}

/** Creates what an order needs: a country in a zone, a tax rate, a shipping method and a payment method. */
export async function setUpChannel(url: string, token: string): Promise<{ shippingMethodId: string }> {
  const create = async (mutation: string, type: string, input: object): Promise<string> => {
    const query = `mutation ($input: ${type}!) { created: ${mutation}(input: $input) { ... on Node { id } } }`;
    return (await graphql<{ created: Id }>(`${url}/admin-api`, token, query, { input })).data.created.id;
  };
  const names = (name: string) => [{ languageCode: 'en', name, description: '' }];
  const countryName = [{ languageCode: 'en', name: 'United Arab Emirates' }];
  const country = await create('createCountry', 'CreateCountryInput', {
    code: 'AE',
    enabled: true,
    translations: countryName,
  });
  const zone = await create('createZone', 'CreateZoneInput', { name: 'All', memberIds: [country] });
  const category = await create('createTaxCategory', 'CreateTaxCategoryInput', { name: 'Standard', isDefault: true });
  const active = await graphql<{ activeChannel: Id }>(`${url}/admin-api`, token, '{ activeChannel { id } }', {});
  await create('updateChannel', 'UpdateChannelInput', {
    id: active.data.activeChannel.id,
    defaultTaxZoneId: zone,
    defaultShippingZoneId: zone,
    pricesIncludeTax: true,
  });
  await create('createTaxRate', 'CreateTaxRateInput', {
    name: 'Standard',
    enabled: true,
    value: 5,
    categoryId: category,
    zoneId: zone,
  });
  await create('createPaymentMethod', 'CreatePaymentMethodInput', {
    code: 'bench',
    enabled: true,
    handler: { code: 'dummy-payment-handler', arguments: [{ name: 'automaticSettle', value: 'true' }] },
    translations: names('Bench'),
  });
  const shippingMethodId = await create('createShippingMethod', 'CreateShippingMethodInput', {
    code: 'bench',
    fulfillmentHandler: 'manual-fulfillment',
    checker: { code: 'default-shipping-eligibility-checker', arguments: [{ name: 'orderMinimum', value: '0' }] },
    calculator: {
      code: 'default-shipping-calculator',
      arguments: [
        { name: 'rate', value: '500' },
        { name: 'includesTax', value: 'auto' },
        { name: 'taxRate', value: '5' },
      ],
    },
    translations: names('Bench'),
  });
  return { shippingMethodId };
}
