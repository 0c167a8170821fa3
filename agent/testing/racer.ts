// Runs as somebody who may do nothing but in their own folder, and swaps what lies there for a link, again and again, until it is killed. Arguments: what is
// swapped (`name`: the name that a file has before it has its own; `folder`; `file`), the folder, and what the link leads to.
import { readdirSync, renameSync, symlinkSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const [what = '', folder = '', victim = ''] = process.argv.slice(2);
const attempt = (act: () => void) => {
  try {
    act();
  } catch {
    // It was too late or too early.
  }
};
/** Puts a link in the place of `path`, and the real one back. */
const swap = (path: string) => {
  attempt(() => renameSync(path, `${path}-real`));
  attempt(() => symlinkSync(victim, path));
  attempt(() => unlinkSync(path));
  attempt(() => renameSync(`${path}-real`, path));
};
writeSync(1, 'racing\n');
for (;;) {
  if (what === 'folder') swap(folder);
  if (what === 'file') swap(join(folder, 'AnyDesk'));
  if (what !== 'name') continue;
  for (const name of readdirSync(folder).filter((one) => one.startsWith('.porchlight-'))) {
    attempt(() => unlinkSync(join(folder, name)));
    attempt(() => symlinkSync(victim, join(folder, name)));
  }
}
