import { NotDone } from '../lib/not-done.ts';
import type { Os } from '../os/port.ts';
import type { QuarantineEntry } from './entry.ts';
import { deleteFile, finishTaking, restoreFile, takeFile } from './quarantined-file.ts';
import { insertLine, removeLine } from './quarantined-line.ts';

const off = { running: false, enabled: false };

/** Takes an entry out of use. `again`: continues after a crash; null when nothing is left to continue. */
export async function carryOut(folder: string, os: Os, entry: QuarantineEntry, again = false): Promise<QuarantineEntry | null> {
  switch (entry.kind) {
    case 'file':
      return again ? finishTaking(folder, os, entry) : takeFile(folder, os, entry);
    case 'line':
      await removeLine(entry.path, entry.line);
      return entry;
    case 'service':
      requireDone(await os.setService(serviceOf(entry), off));
      return entry;
    case 'value':
      requireDone(await os.setStartUpValue(entry, null));
      return entry;
  }
}

export async function restoreEntry(folder: string, os: Os, entry: QuarantineEntry): Promise<void> {
  switch (entry.kind) {
    case 'file':
      return restoreFile(folder, os, entry);
    case 'line':
      return insertLine(entry.path, entry.line, entry.at);
    case 'service':
      return void requireDone(await os.setService(serviceOf(entry), entry.before));
    case 'value': {
      const currentValue = await os.startUpValue(entry);
      if (currentValue !== null && currentValue !== entry.content) throw new NotDone('place_taken');
      return void requireDone(await os.setStartUpValue(entry, entry.content));
    }
  }
}

export async function remove(folder: string, entry: QuarantineEntry): Promise<void> {
  if (entry.kind === 'file') await deleteFile(folder, entry);
}

function serviceOf({ service, user }: Extract<QuarantineEntry, { kind: 'service' }>) {
  return { name: service, ...(user === undefined ? {} : { user }) };
}

function requireDone(done: boolean): true {
  if (!done) throw new NotDone('refused');
  return true;
}
