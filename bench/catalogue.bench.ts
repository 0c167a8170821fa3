import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCatalogue } from '@porchlight/definitions/catalogue.ts';
import { sharedTeams } from '@porchlight/definitions/check-lists.ts';
import { fold, foldMaker } from '@porchlight/definitions/fold.ts';
import type { ProgramSeen } from '@porchlight/definitions/format.ts';
import { type CompiledSet, compileSet, matchProgram, matchSite } from '@porchlight/definitions/match.ts';
import { disguises } from '@porchlight/definitions/testing/disguise.ts';
import { type KnownTool, knownTools } from '@porchlight/definitions/testing/known-tools.ts';
import {
  benignDomains,
  benignProductsSeen,
  benignPrograms,
  falsePositives,
  sharedDataIsThere,
} from '@porchlight/definitions/testing/shared-data.ts';
import { median, type Row } from '@porchlight/dev/bench-row.ts';
import { root } from '@porchlight/dev/root.ts';

const none = { peer: null, peer_value: null };
const must = (name: string, value: number): Row => ({ name, value, unit: '', ...none, aim: { at_most: 0 } });

/** How right the catalogue is about real tools and about harmless programs, and how fast. */
export async function bench(log: (line: string) => void): Promise<Row[]> {
  const definitions = readCatalogue();
  const set = compileSet({ version: 1, issued: '2026-01-01T00:00:00.000Z', definitions });
  log(`${definitions.length} families`);
  const right = sharedDataIsThere ? [...tools(set, log), ...harmless(set, log)] : [];
  return [...right, ...(await speed(set))];
}

const found = (seen: ProgramSeen[], set: CompiledSet) => seen.filter((one) => matchProgram(one, set) !== null);

const programsOf = ({ by_name, by_metadata, by_signer }: KnownTool) => [...by_name, ...by_metadata, ...by_signer];

function tools(set: CompiledSet, log: (line: string) => void): Row[] {
  const known = knownTools();
  const top = new Set(benignDomains());
  // A tool of which nothing is known but a host that everyone visits cannot be found without blocking that host.
  const all = known.filter((tool) => programsOf(tool).length > 0 || tool.domains.some((host) => !top.has(host)));
  const useless = known.filter((tool) => !all.includes(tool));
  if (useless.length > 0) log(`nothing known but a host that everyone visits: ${useless.map(({ id }) => id).join(', ')}`);
  for (const kind of ['by_name', 'by_metadata', 'by_signer'] as const) {
    const told = all.filter((tool) => tool[kind].length > 0);
    const facts = told.flatMap((tool) => tool[kind]);
    const missed = told.filter((tool) => found(tool[kind], set).length === 0);
    log(
      `${kind.replace('_', ' ')} alone: ${told.length - missed.length} of ${told.length} tools, ${found(facts, set).length} of ${facts.length} facts`,
    );
    if (missed.length > 0) log(`  not ${kind.replace('_', ' ')}: ${missed.map(({ id }) => id).join(', ')}`);
  }
  const missed = all.filter((tool) => found(programsOf(tool), set).length === 0 && !tool.domains.some((host) => matchSite(host, set)));
  if (missed.length > 0) log(`not found at all: ${missed.map(({ id }) => id).join(', ')}`);
  const disguised = all.flatMap((tool) => {
    const telling = [...tool.by_metadata, ...tool.by_signer].filter((one) => !isBroad(one, set));
    return telling.length > 0 ? [{ id: tool.id, seen: disguises.map((name) => telling.map((one) => ({ ...one, name }))) }] : [];
  });
  const through = disguised.filter(({ seen }) => seen.some((one) => found(one, set).length === 0));
  log(`renamed to ${disguises.join(', ')}: ${disguised.length - through.length} of ${disguised.length} found under all three`);
  if (through.length > 0) log(`  not when renamed: ${through.map(({ id }) => id).join(', ')}`);
  return [
    must(`known tools not found, of ${all.length}`, missed.length),
    must(`renamed tools not found, of ${disguised.length}`, through.length),
  ];
}

/** Does nothing speak but the signature of a company that signs much that is harmless? By our own judgement, which is wider than the list's. */
function isBroad({ signer, team_id, original_name }: ProgramSeen, { marks }: CompiledSet): boolean {
  if (original_name) return false;
  return team_id ? sharedTeams.has(fold(team_id)) : marks.broad_signers.has(foldMaker(signer ?? ''));
}

function harmless(set: CompiledSet, log: (line: string) => void): Row[] {
  const programs = benignPrograms();
  const products = benignProductsSeen();
  const [hosts, mistaken] = [benignDomains(), falsePositives()];
  const taken = [...found(programs, set), ...found(products, set)];
  for (const seen of taken.slice(0, 20)) log(`  taken for a threat: ${JSON.stringify(seen)}`);
  const sites = (list: string[]) => list.filter((host) => matchSite(host, set) !== null);
  for (const host of [...sites(hosts), ...sites(mistaken)].slice(0, 20)) log(`  blocked: ${host}`);
  return [
    must(`harmless programs matched, of ${programs.length}`, found(programs, set).length),
    must(`ordinary products matched, of ${products.length} appearances`, found(products, set).length),
    must(`top hosts blocked, of ${hosts.length}`, sites(hosts).length),
    must(`hosts that lists carry by mistake blocked, of ${mistaken.length}`, sites(mistaken).length),
  ];
}

async function speed(set: CompiledSet): Promise<Row[]> {
  const lines = 10_000;
  const seen: ProgramSeen[] = Array.from({ length: lines }, (_, n) => ({
    os: 'windows',
    name: n % 10 === 0 ? `AnyDesk_${n}.exe` : `program-${n}_setup.exe`,
    path: `C:\\Program Files (x86)\\Vendor ${n}\\Product\\bin\\program-${n}.exe`,
    original_name: `program-${n}.exe`,
    product: `Product ${n}`,
    company: `Vendor ${n}, Inc.`,
    signer: `CN="Vendor ${n}, Inc.", O="Vendor ${n}, Inc.", C=US`,
  }));
  const times = seen.map((one) => {
    const before = performance.now();
    matchProgram(one, set);
    return (performance.now() - before) * 1000;
  });
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-bench-'));
  const file = join(folder, 'seen.jsonl');
  await writeFile(file, seen.map((one) => `${JSON.stringify(one)}\n`).join(''));
  const before = performance.now();
  const run = spawnSync(process.execPath, [join(root, 'dev/definitions.mjs'), 'match', file], { encoding: 'utf8', maxBuffer: 1 << 28 });
  const took = performance.now() - before;
  await rm(folder, { recursive: true });
  const answered = run.stdout.split('\n').length - 1;
  if (run.status !== 0 || answered !== lines) throw new Error(`The command answered ${answered} of ${lines} lines. ${run.stderr}`);
  return [
    { name: `${lines} lines through the command, its start included`, value: took, unit: 'ms', ...none, aim: { at_most: 5_000 } },
    { name: 'one program with all it says, median', value: median(times), unit: 'µs', ...none, aim: { at_most: 100 } },
  ];
}
