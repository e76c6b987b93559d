/** The exit codes of every command. They are documented in docs/guides/cli.md and shown by `aisle --help`. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  credentials: 3,
  notFound: 4,
  conflict: 5,
  unavailable: 6,
  partial: 7,
  violations: 8,
  interrupted: 130,
} as const;

export const exitCodeTexts: Record<keyof typeof exitCodes, string> = {
  ok: 'the command succeeded',
  failed: 'the command failed, or a check found an error',
  usage: 'an argument, an option or the content of a file is wrong',
  credentials: 'there are no credentials, or they do not allow this',
  notFound: 'the order, product, job or other object does not exist',
  conflict: 'the state of the object does not allow this',
  unavailable: 'the server cannot be reached, is overloaded or failed',
  partial: 'some rows were not applied',
  violations: 'a simulation found that something does not add up',
  interrupted: 'stopped with Ctrl-C',
};
