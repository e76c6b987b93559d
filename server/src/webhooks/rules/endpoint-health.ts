import type { attemptOutcomes } from '@aisle/contract/deliveries';
import type { disabledReasons } from '@aisle/contract/webhooks';

export type Outcome = (typeof attemptOutcomes)[number];

export type Health = {
  failing_since: Date | null;
  disabled_at: Date | null;
  disabled_reason: (typeof disabledReasons)[number] | null;
};

const maxFailingMs = 5 * 24 * 3600 * 1000;

/**
 * Returns an endpoint's health after an attempt. A 410 disables the endpoint, and so do five days of failures without a
 * success.
 */
export function healthAfter(health: Health, outcome: Outcome, now: Date): Health {
  if (outcome === 'success') return { ...health, failing_since: null };
  const failing_since = health.failing_since ?? now;
  if (health.disabled_at !== null) return { ...health, failing_since };
  if (outcome === 'gone') return { failing_since, disabled_at: now, disabled_reason: 'GONE' };
  const isOverdue = now.getTime() - failing_since.getTime() >= maxFailingMs;
  return isOverdue
    ? { failing_since, disabled_at: now, disabled_reason: 'FAILING' }
    : { failing_since, disabled_at: null, disabled_reason: null };
}

/** An endpoint with a new URL starts out healthy, unless it was disabled manually. */
export function healthOfNewUrl(health: Health): Health {
  return health.disabled_reason === 'MANUAL' ? { ...health, failing_since: null } : healthWhenEnabled;
}

export const healthWhenEnabled: Health = { failing_since: null, disabled_at: null, disabled_reason: null };

export function healthWhenDisabled(now: Date): Health {
  return { failing_since: null, disabled_at: now, disabled_reason: 'MANUAL' };
}
