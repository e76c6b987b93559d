import type { InputError } from '@aisle/contract/common';
import type { environments } from '@aisle/contract/webhooks';
import { describeValue } from '@aisle/contract/value-faults';

export type Environment = (typeof environments)[number];
export type Topic = 'orders' | 'catalog';

export type WebhookUrls = {
  environment: Environment;
  staging_url: string | null;
  production_url: string | null;
  staging_catalog_url: string | null;
  production_catalog_url: string | null;
};

export const urlFields = ['staging_url', 'production_url', 'staging_catalog_url', 'production_catalog_url'] as const;

/** Returns the URL for a topic. Catalog events go to the catalog URL if there is one. */
export function urlFor(urls: WebhookUrls, topic: Topic): string {
  const isStaging = urls.environment === 'staging';
  const orders = isStaging ? urls.staging_url : urls.production_url;
  const catalog = isStaging ? urls.staging_catalog_url : urls.production_catalog_url;
  return (topic === 'catalog' ? (catalog ?? orders) : orders) ?? '';
}

/** Whether a URL has an origin (scheme, host and port) that none of the URLs had before. */
export function hasNewOrigin(before: WebhookUrls, after: WebhookUrls): boolean {
  const known = originsOf(before);
  return originsOf(after).some((origin) => !known.includes(origin));
}

/** Returns the errors in the URLs. `checkUrl` returns the error in a single URL, if there is one. */
export function checkUrls(urls: WebhookUrls, checkUrl: (url: string) => string | undefined): InputError[] {
  const errors = urlFields.flatMap((field): InputError[] => {
    const url = urls[field];
    const message = url === null ? undefined : checkUrl(url);
    return message === undefined ? [] : [{ pointer: `/${field}`, code: 'bad_address', message }];
  });
  const required = `${urls.environment}_url` as const;
  const isMissing = urls[required] === null;
  const missing: InputError = {
    pointer: `/${required}`,
    code: 'missing',
    message: describeValue('environment_url', { environment: urls.environment }),
  };
  return isMissing ? [missing, ...errors] : errors;
}

function originsOf(urls: WebhookUrls): string[] {
  return urlFields.flatMap((field) => (urls[field] === null ? [] : [new URL(urls[field]).origin]));
}
