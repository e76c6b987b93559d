import { ApiError } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import type { Body, ResponseBody } from '../api/operations.ts';
import { replaceSession, signedOutName, signOut as endOwnSession } from '../api/sign-out.ts';
import { recordSignedIn, wasSignedIn } from '../api/signed-in.ts';
import { listDeviceKeys, onDeviceChange, readDevice, removeDevice, stopWriting, writeDevice } from './device.ts';
import { createStore } from './store.ts';

export type Session = ResponseBody<'getSession'>;

/** The session, null if the user is not signed in, or undefined while this is unknown. */
export const session = createStore<Session | null | undefined>(undefined);

/** Whether the user was signed in, and the session has ended. */
export const hasEnded = createStore(false);

/** Starts with the session that is stored on the device, so that the app opens without a network. */
export async function loadSession(): Promise<void> {
  const stored = readDevice('session') as Session | undefined;
  if (stored) session.set(stored);
  if (!stored && !wasSignedIn()) return session.set(null);
  try {
    setSession(await call('', 'getSession', {}));
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) endSession();
    else if (!stored) session.set(null);
  }
}

/**
 * What the user has to do first can have changed, such as setting up a second factor. Returns whether the same user can
 * still pick.
 */
export async function refreshSession(): Promise<boolean> {
  const userId = session.get()?.user.user_id;
  setSession(await call('', 'getSession', {}));
  return canPick() && session.get()?.user.user_id === userId;
}

export async function signIn(body: Body<'signIn'>): Promise<void> {
  setSession(await replaceSession(() => call('', 'signIn', { body })));
}

/** Called when the server no longer accepts the session. What is on the device stays. */
export function endSession(): void {
  hasEnded.set(session.get() !== null && wasSignedIn());
  removeDevice('session');
  session.set(null);
}

/** Ends the session and loads the page again, which also removes everything from memory. */
export async function signOut(): Promise<void> {
  stopWriting();
  await endOwnSession();
  location.assign('/pick');
}

/** Whether the server accepts requests about orders. If not, the user has to do something in the portal first. */
export function canPick(): boolean {
  const current = session.get();
  return Boolean(current) && !current?.must_change_password && !current?.must_set_up_second_factor;
}

/** A key on the device that belongs to the signed-in user. */
export function ownKey(name: string): string {
  return `user/${session.get()?.user.user_id ?? ''}/${name}`;
}

// This tab may have stored orders again after another one has signed out.
onDeviceChange(signedOutName, () => {
  if (!session.get()) return;
  stopWriting();
  for (const key of listDeviceKeys(ownKey(''))) removeDevice(key);
  location.reload();
});

// All tabs have the same cookie, so this one would act for the user who has signed in in another one.
onDeviceChange('session', () => {
  const stored = readDevice('session') as Session | undefined;
  if (stored && stored.user.user_id !== session.get()?.user.user_id) location.reload();
});

function setSession(next: Session): void {
  recordSignedIn(true);
  writeDevice('session', next);
  hasEnded.set(false);
  session.set(next);
}
