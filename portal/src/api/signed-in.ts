/** The local storage key that is set while there might be a session. Scripts cannot read the session cookie itself. */
const signedInKey = 'aisle-signed-in';

/** Whether the user signed in and has not signed out since. If so, a missing session means that it has expired. */
export function wasSignedIn(): boolean {
  return localStorage.getItem(signedInKey) !== null;
}

export function recordSignedIn(isSignedIn: boolean): void {
  if (isSignedIn) localStorage.setItem(signedInKey, 'yes');
  else localStorage.removeItem(signedInKey);
}
