import { StartError } from './start-database.ts';

/** Rejects arguments that the role or command does not have, before anything is started or changed. */
export function checkArguments(role: string, rest: readonly string[]): void {
  if (role === 'backup' || role === 'restore') return;
  const usage = usages[role];
  if (usage === undefined) {
    if (rest.length === 0) return;
    throw new StartError(
      `${role} has no argument "${rest[0]}". Settings are environment variables; "npm start -- --help" lists them.`,
    );
  }
  if (!usage.accepts(rest)) throw new StartError(usage.message);
}

type Usage = { accepts(rest: readonly string[]): boolean; message: string };

const usages: Record<string, Usage> = {
  'platform-token': {
    // Not an option such as --help, and no control characters.
    accepts: (rest) => /^[^-\s\p{C}]\P{C}{0,99}$/u.test(rest.join(' ')),
    message: 'The platform token needs a name of at most 100 characters: npm start -- platform-token NAME.',
  },
  'platform-user': {
    accepts: ([email = '', ...more]) => more.length === 0 && /^[^\s@]+@[^\s@]+$/.test(email),
    message: 'Name one email address: npm start -- platform-user EMAIL.',
  },
  distribute: {
    accepts: (rest) => rest.every((argument) => argument === '--with-data'),
    message: 'distribute has only one option: npm start -- distribute [--with-data].',
  },
  'move-chain': {
    accepts(rest) {
      const names = rest.filter((argument) => argument !== '--block-writes');
      return names.length === 2 && names.every((name) => !name.startsWith('-'));
    },
    message: 'Name a chain and a node: npm start -- move-chain CHAIN HOST:PORT [--block-writes].',
  },
};
