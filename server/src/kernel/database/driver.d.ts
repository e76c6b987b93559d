/** The types of the driver do not declare this file. */
declare module 'pg/lib/utils.js' {
  const utils: {
    /** Converts a value to text, or leaves it as bytes. */
    prepareValue(value: unknown): string | Buffer | null;
  };
  export default utils;
}
