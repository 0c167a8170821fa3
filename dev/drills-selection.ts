import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';
import { filesBelow } from './walk.ts';

export interface Drill {
  name: string;
  /** A path from the repository's root. */
  file: string;
  /** About how long it takes, on two cores that have nothing else to do. */
  minutes: number;
}

interface DrillSelection {
  run: Drill[];
  /** Sentences about the drills that did not fit into the night. */
  leftOut: string[];
  /** What is wrong with the arguments. */
  problem: string | null;
}

export const nightMinutes = 90;

/** Read from the sources, because to import all drills is to load the server, the agent and a browser. */
export function readDrills(): Drill[] {
  return filesBelow('dev/drills', /\.drill\.ts$/).map((file) => ({
    name: file.replace(/^.*\/|\.drill\.ts$/g, ''),
    file,
    minutes: minutesOf(file, readFileSync(join(root, file), 'utf8')),
  }));
}

export function minutesOf(file: string, source: string): number {
  const minutes = Number(/^export const minutes = ([\d_.]+);$/m.exec(source)?.[1]?.replaceAll('_', '') ?? 0);
  if (minutes > 0) return minutes;
  throw new Error(`${file} does not say how long it takes, so no night can be planned with it. Write: export const minutes = 5;`);
}

/** Without arguments nothing runs: all drills together take most of a day, which nobody should begin by a mistake. */
export function selectDrills(args: string[], drills: Drill[]): DrillSelection {
  const selection = (run: Drill[], leftOut: string[] = []): DrillSelection => ({ run, leftOut, problem: null });
  const refused = (problem: string): DrillSelection => ({ run: [], leftOut: [], problem });
  const options = args.filter((word) => word.startsWith('-'));
  const unknownOptions = options.filter((word) => word !== '--all' && word !== '--nightly');
  if (unknownOptions.length) return refused(`npm run drills does not know ${unknownOptions.join(' and ')}.`);
  if (options.length && args.length > 1) return refused('Say --all, or --nightly, or names of drills, and not two of them.');
  if (args[0] === '--all') return selection(drills);
  if (args[0] === '--nightly') return selectNightly(drills, selection);
  const unknownNames = args.filter((word) => !drills.some(({ name }) => name.includes(word)));
  if (unknownNames.length) return refused(`There is no drill called ${unknownNames.join(' or ')}.`);
  return selection(drills.filter(({ name }) => args.some((word) => name.includes(word))));
}

/** The shortest first, so that a night holds as many different failures as it can. */
function selectNightly(drills: Drill[], selection: (run: Drill[], leftOut: string[]) => DrillSelection): DrillSelection {
  const [run, leftOut]: [Drill[], string[]] = [[], []];
  let minutesLeft = nightMinutes;
  for (const drill of drills.toSorted((a, b) => a.minutes - b.minutes)) {
    if (drill.minutes <= minutesLeft) {
      run.push(drill);
      minutesLeft -= drill.minutes;
    } else leftOut.push(`${drill.name} is left out: it takes ${about(drill.minutes)}, and ${minutesLeft} of ${nightMinutes} are left.`);
  }
  return selection(run, leftOut);
}

export const sumOf = (drills: Drill[]) => drills.reduce((sum, { minutes }) => sum + minutes, 0);

export function about(minutes: number): string {
  if (minutes >= 120) return `about ${Math.round(minutes / 60)} hours`;
  return minutes === 1 ? 'about a minute' : `about ${minutes} minutes`;
}

/** What `npm run drills` prints without arguments. */
export function listOf(drills: Drill[]): string {
  const widest = Math.max(...drills.map(({ name }) => name.length));
  const lines = drills.map(({ name, minutes }) => `  ${name.padEnd(widest)}  ${about(minutes)}`);
  return `${lines.join('\n')}\n\n${drills.length} drills, ${about(sumOf(drills))} together, on two cores that have nothing else to do. Nothing has run:
npm run drills -- NAME runs one, and npm run drills -- --help names the other ways.`;
}
