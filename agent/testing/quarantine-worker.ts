import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readSystemClock } from '../lib/clock.ts';
import { fakeOs } from '../os/fake/fake.ts';
import { openQuarantine } from '../quarantine/quarantine.ts';

const [folder = '', place = ''] = process.argv.slice(2);
const whose = { identifier: 'anydesk', name: 'AnyDesk', category: 'RemoteControl', certainty: 'certain' } as const;
const quarantine = await openQuarantine(folder, fakeOs(), readSystemClock);
process.stdout.write('working\n');
for (;;) {
  for (const name of await readdir(place)) await quarantine.takeFile({ path: join(place, name) }, whose);
  for (const { uuid } of await quarantine.quarantined()) await quarantine.undo(uuid);
}
