import { access, constants, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../../config.ts';
import { readDisk } from '../../lib/read-disk.ts';
import { type Check, error, type Finding, ok, warning } from './check.ts';

const [megabyte, gigabyte] = [1_000_000, 1_000_000_000];
/** The newest Node for which this release is tested; `npm start` brings it along. */
const nodeMajor = 24;

export const nodeCheck: Check = { id: 'computer.node', run: () => nodeFinding(process.versions.node) };

export function computerChecks({ data_dir, database_url }: Config): Check[] {
  const databaseFolder = join(data_dir, 'postgres');
  return [
    nodeCheck,
    { id: 'data.folder', needs: ['DATA_DIR'], run: () => folderFinding(data_dir) },
    { id: 'data.disk', needs: ['DATA_DIR'], run: () => diskFinding(data_dir, 'DATA_DIR') },
    ...(database_url === undefined
      ? [
          {
            id: 'database.disk',
            needs: ['DATA_DIR', 'DATABASE_URL'],
            run: () => diskFinding(databaseFolder, 'The database'),
          } satisfies Check,
        ]
      : []),
  ];
}

export function nodeFinding(version: string): Finding {
  const major = Number(version.split('.')[0]);
  if (major >= nodeMajor) return ok(`Node ${version}.`);
  return warning(`This is Node ${version}, and Porchlight is tested with Node ${nodeMajor}. Install Node ${nodeMajor} or newer.`);
}

async function folderFinding(data_dir: string): Promise<Finding> {
  const folder = await stat(data_dir).catch(unlessMissing);
  const dirToWrite = folder ? data_dir : await nearestFolder(data_dir);
  const isWritable = await access(dirToWrite, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (folder && !folder.isDirectory()) return error(`DATA_DIR is ${data_dir}, and that is a file, not a folder. Set DATA_DIR to a folder.`);
  if (!isWritable)
    return error(
      `DATA_DIR is ${data_dir}, and this user may not write to ${dirToWrite}. Give the folder to the user who runs the server, or set DATA_DIR to another one.`,
    );
  if (!folder) return ok(`DATA_DIR is ${data_dir}; the first start makes it.`);
  if (isOpenToOthers(folder.mode))
    return warning(`DATA_DIR is ${data_dir}, which other users of this computer may open, and keys are in it. Run: chmod 700 ${data_dir}`);
  return ok(`DATA_DIR is ${data_dir}, writable and closed to other users.`);
}

/** Windows has no such rights. */
export const isOpenToOthers = (mode: number) => process.platform !== 'win32' && (mode & 0o077) !== 0;

async function diskFinding(folder: string, name: string): Promise<Finding> {
  const { free, size } = await readDisk(await nearestFolder(folder));
  return spaceFinding({ free, total: size }, `${name} (${folder})`);
}

/** In bytes. `place`: begins the sentence. */
export function spaceFinding({ free, total }: { free: number; total: number }, place: string): Finding {
  const freeText = `${inGigabytes(free)} of ${inGigabytes(total)} are free`;
  if (free < 100 * megabyte)
    return error(`${place}: ${freeText}. Without space the database stops and alerts are lost. Free some space now, or use a larger disk.`);
  if (free < gigabyte || free < total / 10) return warning(`${place}: ${freeText}. Free some space, or use a larger disk.`);
  return ok(`${place}: ${freeText}.`);
}

const inGigabytes = (bytes: number) => `${(bytes / gigabyte).toFixed(bytes < 10 * gigabyte ? 2 : 0)} GB`;

/** The folder itself, or the nearest above it that exists. */
async function nearestFolder(folder: string): Promise<string> {
  const exists = await stat(folder).catch(unlessMissing);
  return exists || dirname(folder) === folder ? folder : nearestFolder(dirname(folder));
}

export function unlessMissing(err: NodeJS.ErrnoException): null {
  if (err.code === 'ENOENT') return null;
  throw err;
}
