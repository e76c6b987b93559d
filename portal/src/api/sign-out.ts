import { ApiError } from './api-error.ts';
import { call } from './call.ts';
import { recordSignedIn } from './signed-in.ts';

/** What the picking app keeps on the device starts with this. */
export const pickPrefix = 'aisle-pick/';

/** Changes when a user signs out, so that other tabs notice it. */
export const signedOutName = 'signed-out';

const pendingKey = 'aisle-sign-out';

/**
 * Ends the session, and removes what belongs to the user from the device, because other people may use it. Without a
 * network, the session is ended on the server as soon as possible: when the app is opened or online again, and before
 * the next sign-in.
 */
export async function signOut(): Promise<void> {
  recordSignedIn(false);
  const keys = Object.keys(localStorage);
  const own = keys.filter((key) => key.startsWith(`${pickPrefix}user/`) || key === `${pickPrefix}session`);
  for (const key of own) localStorage.removeItem(key);
  localStorage.setItem(pickPrefix + signedOutName, String(Date.now()));
  localStorage.setItem(pendingKey, 'yes');
  await completeSignOut();
}

/** Repeats a sign-out that did not reach the server. */
export async function completeSignOut(): Promise<void> {
  if (localStorage.getItem(pendingKey) === null) return;
  try {
    await call('', 'signOut', {});
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) return;
  }
  localStorage.removeItem(pendingKey);
}

const retryMs = 10_000;

/**
 * Calls `completeSignOut` now and whenever the device is online again. The first request after that can still fail, so
 * it is repeated.
 */
export function completeSignOuts(): void {
  void completeSignOut();
  window.addEventListener('online', () => void completeSignOut());
  setInterval(() => {
    if (navigator.onLine) void completeSignOut();
  }, retryMs);
}
