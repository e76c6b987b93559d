import type { Attributes } from 'ssh2';

type Entry = { name: string; isFolder: boolean; isWritable: boolean; size?: number; modifiedAt: Date };

/** The size of some files is known only once they are read. SFTP allows the size to be omitted. */
export function attributesOf(entry: Entry): Attributes {
  const time = Math.floor(entry.modifiedAt.getTime() / 1000);
  const size = entry.isFolder ? 0 : entry.size;
  return {
    mode: modeOf(entry),
    uid: 0,
    gid: 0,
    ...(size !== undefined && { size }),
    atime: time,
    mtime: time,
  } as Attributes;
}

/** The entry in the format of `ls -l`. Clients print this line as it is. */
export function longName(entry: Entry): string {
  const mode = modeOf(entry);
  const letters = [...'rwxrwxrwx'].map((letter, index) => (mode & (1 << (8 - index)) ? letter : '-')).join('');
  const size = String(entry.size ?? 0).padStart(12);
  const time = entry.modifiedAt.toISOString();
  const date = `${months[entry.modifiedAt.getUTCMonth()]} ${time.slice(8, 10)} ${time.slice(11, 16)}`;
  return `${entry.isFolder ? 'd' : '-'}${letters}    1 aisle    aisle    ${size} ${date} ${entry.name}`;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function modeOf({ isFolder, isWritable }: Entry): number {
  if (isFolder) return 0o40000 | (isWritable ? 0o755 : 0o555);
  return 0o100000 | (isWritable ? 0o644 : 0o444);
}
