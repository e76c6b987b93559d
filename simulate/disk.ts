import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A small file system, which can be filled up. */
export type Disk = { folder: string; fill(): void; free(): void; unmount(): void };

const bytes = 4 * 1024 ** 3;

/** Returns undefined if this machine does not allow mounting, for example without root. The image file is sparse. */
export function mountDisk(parent: string): Disk | undefined {
  const image = join(parent, 'disk.image');
  const folder = join(parent, 'disk');
  mkdirSync(folder);
  try {
    writeFileSync(image, '');
    truncateSync(image, bytes);
    run('mkfs.ext4', '-q', '-m', '0', image);
    run('mount', '-o', 'loop', image, folder);
  } catch {
    rmSync(image, { force: true });
    return undefined;
  }
  chmodSync(folder, 0o755);
  const filler = join(folder, 'filler');
  // Unmounts the disk even if the simulation is interrupted.
  process.once('exit', unmount);
  return {
    folder,
    fill() {
      // The file system needs some blocks to describe the file, so the last attempts are smaller.
      for (const share of [1, 0.9, 0.9]) {
        const { bavail, bsize } = statfsSync(folder);
        const size = Math.floor(bavail * share) * bsize;
        try {
          run('fallocate', '-l', String(size), `${filler}-${share === 1 ? 'all' : size}`);
        } catch {
          // A smaller file may fit.
        }
      }
    },
    free: () => run('sh', '-c', `rm -f '${filler}'*`),
    unmount() {
      process.off('exit', unmount);
      unmount();
    },
  };

  function unmount(): void {
    run('umount', '-l', folder);
    rmSync(image, { force: true });
  }
}

function run(command: string, ...args: string[]): void {
  execFileSync(command, args, { stdio: 'ignore' });
}
