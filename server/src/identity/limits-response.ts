import { chainRateLimitClasses } from '@aisle/contract/route';
import type { Config } from '../config.ts';

/** The configured limits. */
export function limitsResponse({ limits, rateLimits }: Config) {
  return {
    page_size_default: 20,
    page_size_maximum: 500,
    catalog_items_per_request: limits.catalogItems,
    catalog_bytes_per_request: limits.catalogBytes,
    file_bytes: limits.fileBytes,
    creation_offers_per_request: limits.creationOffers,
    orders_readable_days: limits.readableDays,
    order_range_days: limits.readableDays,
    promotion_pairs_per_request: limits.promotionPairs,
    download_days: limits.downloadDays,
    api_tokens_per_chain: limits.apiTokens,
    products_per_chain: limits.products,
    offers_per_chain: limits.offers,
    job_bytes_per_chain: limits.jobBytes,
    clients_per_chain: limits.clients,
    access_token_seconds: limits.accessTokenSeconds,
    session_hours: limits.sessionHours,
    session_idle_minutes: limits.sessionIdleMinutes,
    idempotency_hours: limits.idempotencyHours,
    event_days: limits.eventDays,
    attempt_days: limits.attemptDays,
    request_days: limits.requestDays,
    rate_limits_per_minute: rateLimits.perMinute,
    chain_rate_limits_per_minute: Object.fromEntries(
      chainRateLimitClasses.map((name) => [name, rateLimits.perMinute[name] * rateLimits.chainFactor]),
    ),
  };
}
