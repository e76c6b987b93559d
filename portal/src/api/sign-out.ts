import { ApiError } from './api-error.ts';
import { call } from './call.ts';
import { recordSignedIn } from './signed-in.ts';

/** What the picking app keeps on the device starts with this. */
export const pickPrefix = 'aisle-pick/';

/** Changes when a user signs out, so that other tabs notice it. */
export const signedOutName = 'signed-out';

const pendingKey = 'aisle-sign-out';
/** The session that the picking app keeps on the device. */
const sessionKey = `${pickPrefix}session`;

/**
 * Ends the session, and removes what belongs to the user from the device, because other people may use it. Without a
 * network, the session is ended on the server as soon as possible: when the app is opened or online again, and before
 * the next sign-in.
 */
export async function signOut(): Promise<void> {
  recordSignedIn(false);
  const keys = Object.keys(localStorage);
  const own = keys.filter((key) => key.startsWith(`${pickPrefix}user/`) || key === sessionKey);
  for (const key of own) localStorage.removeItem(key);
  localStorage.setItem(pickPrefix + signedOutName, String(Date.now()));
  localStorage.setItem(pendingKey, 'yes');
  await completeSignOut();
}

/** Repeats a sign-out that did not reach the server. A late response of a second request could end the next session. */
export function completeSignOut(): Promise<void> {
  ending ??= endPending().finally(() => {
    ending = undefined;
  });
  return ending;
}

/**
 * Signs in with the given request, which replaces the session in this browser. A sign-out that still could not reach the
 * server is given up, because it would now end the new session.
 */
export async function replaceSession<Session>(signIn: () => Promise<Session>): Promise<Session> {
  await completeSignOut();
  isReplacing = true;
  try {
    const session = await signIn();
    recordReplaced(session);
    return session;
  } finally {
    isReplacing = false;
  }
}

/** Another session has replaced the one before, which a pending sign-out should have ended. */
export function recordReplaced(session: unknown): void {
  localStorage.removeItem(pendingKey);
  if (localStorage.getItem(sessionKey) === null) return;
  try {
    // Otherwise the picking app in other tabs would act for the new user under the name of the one before.
    localStorage.setItem(sessionKey, JSON.stringify(session));
  } catch {
    localStorage.removeItem(sessionKey);
  }
}

function forgetSignOut(): void {
  localStorage.removeItem(pendingKey);
}

let ending: Promise<void> | undefined;
let isReplacing = false;

async function endPending(): Promise<void> {
  if (isReplacing || localStorage.getItem(pendingKey) === null) return;
  try {
    await call('', 'signOut', {});
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) return;
  }
  forgetSignOut();
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
