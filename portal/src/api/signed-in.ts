/** Local storage keys that are set while there might be a session. Scripts cannot read the session cookies themselves. */
const keys = { portal: 'aisle-signed-in', console: 'aisle-console-signed-in' };

/** Whether the user signed in and has not signed out since. If so, a missing session means that it has expired. */
export function wasSignedIn(site: keyof typeof keys = 'portal'): boolean {
  return localStorage.getItem(keys[site]) !== null;
}

export function recordSignedIn(isSignedIn: boolean, site: keyof typeof keys = 'portal'): void {
  if (isSignedIn) localStorage.setItem(keys[site], 'yes');
  else localStorage.removeItem(keys[site]);
}
