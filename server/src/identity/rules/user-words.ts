/**
 * The words in a user's email address and name, to be avoided in the password. The time to check a password grows with
 * their number. Words of one or two letters are left out, because they hardly make a password easier to guess.
 */
export function listUserWords({ email, name }: { email: string; name: string }): string[] {
  const words = [email, name, ...email.split(/[@._+-]/), ...name.split(/\s+/)].map((word) => word.toLowerCase());
  return [...new Set(words)].filter((word) => word.length >= minLength).slice(0, maxWords);
}

const minLength = 3;
const maxWords = 10;
