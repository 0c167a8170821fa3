import { win32 } from 'node:path';
import type { ProcessSeen } from '../../port.ts';
import type { FileFacts } from '../file/file-facts.ts';
import type { Listed } from './process-table.ts';
import type { Processes } from './processes.ts';

/** Lists the processes, each time after `every()` ms; only of those that are new is anything else asked. What `slow` has to read comes later, as the same process once more. */
export function watchList(
  { list, pathOf }: Pick<Processes, 'list' | 'pathOf'>,
  facts: (path: string) => FileFacts,
  every: () => number,
  seen: (processes: ProcessSeen[]) => void,
  slow: (path: string) => Promise<FileFacts> | null = () => null,
): { close(): void } {
  let known = new Set<string>();
  const look = () => {
    const now = new Set<string>();
    const fresh: ProcessSeen[] = [];
    for (const listed of list()) {
      const key = `${listed.pid}:${listed.started}`;
      now.add(key);
      if (known.has(key) || !listed.name) continue;
      const path = pathOf(listed.pid);
      fresh.push(processSeen(listed, path, facts));
      if (path)
        void slow(path)?.then((read) => {
          if (known.has(key)) seen([processSeen(listed, path, () => read)]);
        });
    }
    known = now;
    if (fresh.length) seen(fresh);
  };
  let timer: NodeJS.Timeout;
  const again = () => {
    look();
    timer = setTimeout(again, every());
  };
  again();
  return {
    close() {
      clearTimeout(timer);
      known = new Set();
    },
  };
}

/** A process by the name of its file and by what that file says of itself; where its path may not be asked, by the name alone. */
export function processSeen({ pid, started, name }: Listed, path: string | null, facts: (path: string) => FileFacts): ProcessSeen {
  const file = path ?? name;
  const about = path === null ? {} : facts(path);
  return { pid, started, path: file, program: { os: 'windows', name: win32.basename(file), ...(path === null ? {} : { path }), ...about } };
}
