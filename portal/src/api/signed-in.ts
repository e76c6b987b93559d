/** Local storage keys that are set while there might be a session. Scripts cannot read the session cookies themselves. */
const keys = { portal: 'aisle-signed-in', console: 'aisle-console-signed-in' };

export type Site = keyof typeof keys;

/** Whether the user signed in and has not signed out since. If so, a missing session means that it has expired. */
export function wasSignedIn(site: Site = 'portal'): boolean {
  return localStorage.getItem(keys[site]) !== null;
}

export function recordSignedIn(isSignedIn: boolean, site: Site = 'portal'): void {
  // Other tabs are told only of a value that is new.
  if (isSignedIn) localStorage.setItem(keys[site], String(Date.now()));
  else localStorage.removeItem(keys[site]);
}

/** Calls back after a sign-in in another tab, which replaces the session of this tab too. */
export function onSignInElsewhere(site: Site, notify: () => void): void {
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === keys[site] && newValue !== null) notify();
  });
}
