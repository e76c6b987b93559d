/** Who sent something, and from where. */
export type Origin = {
  /** A stable id, for example `token:<id>`. */
  by: string;
  /** The name to display, for example the name of the token. */
  name: string;
  channel: 'api' | 'portal' | 'sftp';
  address: string;
};
