import { statfs } from 'node:fs/promises';

/** In bytes. `free`: for this process's user. */
export interface Disk {
  free: number;
  size: number;
}

/** The disk of a folder. */
export async function readDisk(folder: string): Promise<Disk> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, size: blocks * bsize };
}
