import { NotDone } from '../lib/not-done.ts';
import type { Os } from '../os/port.ts';
import type { QuarantineEntry } from './entry.ts';
import { deleteFile, finishTaking, putFileBack, takeFile } from './quarantined-file.ts';
import { insertLine, removeLine } from './quarantined-line.ts';

const off = { running: false, enabled: false };

/** Takes it out of use, and answers it as it is held. `again`: it broke off before and goes on from there; null when there is nothing to go on with. */
export async function carryOut(folder: string, os: Os, entry: QuarantineEntry, again = false): Promise<QuarantineEntry | null> {
  switch (entry.kind) {
    case 'file':
      return again ? finishTaking(folder, os, entry) : takeFile(folder, os, entry);
    case 'line':
      await removeLine(entry.path, entry.line);
      return entry;
    case 'service':
      must(await os.setService(serviceOf(entry), off));
      return entry;
    case 'value':
      must(await os.setStartUpValue(entry, null));
      return entry;
  }
}

/** Makes it as it was. May be done again. */
export async function putBack(folder: string, os: Os, entry: QuarantineEntry): Promise<void> {
  switch (entry.kind) {
    case 'file':
      return putFileBack(folder, os, entry);
    case 'line':
      return insertLine(entry.path, entry.line, entry.at);
    case 'service':
      return void must(await os.setService(serviceOf(entry), entry.before));
    case 'value': {
      const there = await os.startUpValue(entry);
      if (there !== null && there !== entry.content) throw new NotDone('place_taken');
      return void must(await os.setStartUpValue(entry, entry.content));
    }
  }
}

/** For good. */
export async function remove(folder: string, entry: QuarantineEntry): Promise<void> {
  if (entry.kind === 'file') await deleteFile(folder, entry);
}

function serviceOf({ service, user }: Extract<QuarantineEntry, { kind: 'service' }>) {
  return { name: service, ...(user === undefined ? {} : { user }) };
}

function must(done: boolean): true {
  if (!done) throw new NotDone('refused');
  return true;
}
