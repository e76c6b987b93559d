/** Reads the strings in the data of a request, each of which is preceded by its length. Empty if one is truncated. */
export function readStrings(data: Buffer): string[] {
  const strings: string[] = [];
  for (let at = 0; at + 4 <= data.length; ) {
    const end = at + 4 + data.readUInt32BE(at);
    if (end > data.length) return [];
    strings.push(data.toString('utf8', at + 4, end));
    at = end;
  }
  return strings;
}
