import type { InputError } from '@aisle/contract/common';
import type { environments } from '@aisle/contract/webhooks';

export type Environment = (typeof environments)[number];
export type Topic = 'orders' | 'catalog';

export type Addresses = {
  environment: Environment;
  staging_url: string | null;
  production_url: string | null;
  staging_catalog_url: string | null;
  production_catalog_url: string | null;
};

export const addressFields = [
  'staging_url',
  'production_url',
  'staging_catalog_url',
  'production_catalog_url',
] as const;

/** The address in use. Catalog events go to the catalog address if there is one. */
export function addressOf(addresses: Addresses, topic: Topic): string {
  const isStaging = addresses.environment === 'staging';
  const orders = isStaging ? addresses.staging_url : addresses.production_url;
  const catalog = isStaging ? addresses.staging_catalog_url : addresses.production_catalog_url;
  return (topic === 'catalog' ? (catalog ?? orders) : orders) ?? '';
}

/** The errors in the addresses; `checkUrl` checks each of them. */
export function checkAddresses(addresses: Addresses, checkUrl: (url: string) => string | undefined): InputError[] {
  const errors = addressFields.flatMap((field) => {
    const url = addresses[field];
    const message = url === null ? undefined : checkUrl(url);
    return message === undefined ? [] : [{ pointer: `/${field}`, code: 'bad_address', message }];
  });
  const required = `${addresses.environment}_url` as const;
  const isMissing = addresses[required] === null;
  const missing = {
    pointer: `/${required}`,
    code: 'missing',
    message: `is required because the environment is ${addresses.environment}`,
  };
  return isMissing ? [missing, ...errors] : errors;
}
