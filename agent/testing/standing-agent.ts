import { startHere } from '../lifecycle/run.ts';
import { fakeOs } from '../os/fake/fake.ts';
import { openStore } from '../state/store.ts';

/** An agent whose event loop never returns from the menu of one user. Arguments: the state's folder, and the server. */
const [, , folder = '', server = ''] = process.argv;
const os = fakeOs();
os.origin = async ({ guard }) => {
  const menu = guard(
    'menu',
    'mum',
  )(() => {
    // A stopped process and a long sleep of the computer are shorter than this.
    for (;;);
  });
  process.stdout.write(`menu: ${menu === null ? 'left out' : 'read'}, autostart: ${guard('autostart', 'mum')(() => 'read')}\n`);
  return null;
};
process.stdout.write('started\n');
const log = (sentence: string) => void process.stdout.write(`${sentence}\n`);
await startHere({
  ...{ os, folder, server, log, store: await openStore(folder) },
  ...{ operator: null, quarantineFolder: null, freeAgent: false, loopback_port: 0, sites: null },
});
