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

const noPeer = { peer: null, peer_value: null };
const zeroAim = (name: string, value: number): Row => ({ name, value, unit: '', ...noPeer, aim: { at_most: 0 } });

export async function bench(log: (line: string) => void): Promise<Row[]> {
  const definitions = readCatalogue();
  const set = compileSet({ version: 1, issued: '2026-01-01T00:00:00.000Z', definitions });
  log(`${definitions.length} families`);
  const sharedDataRows = sharedDataIsThere ? [...tools(set, log), ...harmlessRows(set, log)] : [];
  return [...sharedDataRows, ...(await speed(set))];
}

const matchedPrograms = (seen: ProgramSeen[], set: CompiledSet) => seen.filter((one) => matchProgram(one, set) !== null);

const programsOf = ({ by_name, by_metadata, by_signer }: KnownTool) => [...by_name, ...by_metadata, ...by_signer];

function tools(set: CompiledSet, log: (line: string) => void): Row[] {
  const toolsToFind = knownTools();
  const popularHosts = new Set(benignDomains());
  // A host that everyone visits does not identify a tool.
  const usableTools = toolsToFind.filter((tool) => programsOf(tool).length > 0 || tool.domains.some((host) => !popularHosts.has(host)));
  const unusableTools = toolsToFind.filter((tool) => !usableTools.includes(tool));
  if (unusableTools.length > 0) log(`nothing known but a host that everyone visits: ${unusableTools.map(({ id }) => id).join(', ')}`);
  for (const kind of ['by_name', 'by_metadata', 'by_signer'] as const) {
    const withFacts = usableTools.filter((tool) => tool[kind].length > 0);
    const facts = withFacts.flatMap((tool) => tool[kind]);
    const missedTools = withFacts.filter((tool) => matchedPrograms(tool[kind], set).length === 0);
    log(
      `${kind.replace('_', ' ')} alone: ${withFacts.length - missedTools.length} of ${withFacts.length} tools, ${matchedPrograms(facts, set).length} of ${facts.length} facts`,
    );
    if (missedTools.length > 0) log(`  not ${kind.replace('_', ' ')}: ${missedTools.map(({ id }) => id).join(', ')}`);
  }
  const missedTools = usableTools.filter(
    (tool) => matchedPrograms(programsOf(tool), set).length === 0 && !tool.domains.some((host) => matchSite(host, set)),
  );
  if (missedTools.length > 0) log(`not found at all: ${missedTools.map(({ id }) => id).join(', ')}`);
  const disguised = usableTools.flatMap((tool) => {
    const specificFacts = [...tool.by_metadata, ...tool.by_signer].filter((one) => !isBroad(one, set));
    return specificFacts.length > 0 ? [{ id: tool.id, seen: disguises.map((name) => specificFacts.map((one) => ({ ...one, name }))) }] : [];
  });
  const undetected = disguised.filter(({ seen }) => seen.some((one) => matchedPrograms(one, set).length === 0));
  log(`renamed to ${disguises.join(', ')}: ${disguised.length - undetected.length} of ${disguised.length} found under all three`);
  if (undetected.length > 0) log(`  not when renamed: ${undetected.map(({ id }) => id).join(', ')}`);
  return [
    zeroAim(`known tools not found, of ${usableTools.length}`, missedTools.length),
    zeroAim(`renamed tools not found, of ${disguised.length}`, undetected.length),
  ];
}

/** Whether the program's only evidence is a company that also signs many harmless programs, by our list. */
function isBroad({ signer, team_id, original_name }: ProgramSeen, { marks }: CompiledSet): boolean {
  if (original_name) return false;
  return team_id ? sharedTeams.has(fold(team_id)) : marks.broad_signers.has(foldMaker(signer ?? ''));
}

function harmlessRows(set: CompiledSet, log: (line: string) => void): Row[] {
  const programs = benignPrograms();
  const products = benignProductsSeen();
  const [hosts, falseHosts] = [benignDomains(), falsePositives()];
  const falseMatches = [...matchedPrograms(programs, set), ...matchedPrograms(products, set)];
  for (const seen of falseMatches.slice(0, 20)) log(`  taken for a threat: ${JSON.stringify(seen)}`);
  const sites = (list: string[]) => list.filter((host) => matchSite(host, set) !== null);
  for (const host of [...sites(hosts), ...sites(falseHosts)].slice(0, 20)) log(`  blocked: ${host}`);
  return [
    zeroAim(`harmless programs matched, of ${programs.length}`, matchedPrograms(programs, set).length),
    zeroAim(`ordinary products matched, of ${products.length} appearances`, matchedPrograms(products, set).length),
    zeroAim(`top hosts blocked, of ${hosts.length}`, sites(hosts).length),
    zeroAim(`hosts that lists carry by mistake blocked, of ${falseHosts.length}`, sites(falseHosts).length),
  ];
}

async function speed(set: CompiledSet): Promise<Row[]> {
  const lines = 10_000;
  const seenPrograms: ProgramSeen[] = Array.from({ length: lines }, (_, n) => ({
    os: 'windows',
    name: n % 10 === 0 ? `AnyDesk_${n}.exe` : `program-${n}_setup.exe`,
    path: `C:\\Program Files (x86)\\Vendor ${n}\\Product\\bin\\program-${n}.exe`,
    original_name: `program-${n}.exe`,
    product: `Product ${n}`,
    company: `Vendor ${n}, Inc.`,
    signer: `CN="Vendor ${n}, Inc.", O="Vendor ${n}, Inc.", C=US`,
  }));
  const durations = seenPrograms.map((one) => {
    const startedAt = performance.now();
    matchProgram(one, set);
    return (performance.now() - startedAt) * 1000;
  });
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-bench-'));
  const file = join(folder, 'seen.jsonl');
  await writeFile(file, seenPrograms.map((one) => `${JSON.stringify(one)}\n`).join(''));
  const startedAt = performance.now();
  const run = spawnSync(process.execPath, [join(root, 'dev/definitions.mjs'), 'match', file], { encoding: 'utf8', maxBuffer: 1 << 28 });
  const duration = performance.now() - startedAt;
  await rm(folder, { recursive: true });
  const answerCount = run.stdout.split('\n').length - 1;
  if (run.status !== 0 || answerCount !== lines) throw new Error(`The command answered ${answerCount} of ${lines} lines. ${run.stderr}`);
  return [
    { name: `${lines} lines through the command, its start included`, value: duration, unit: 'ms', ...noPeer, aim: { at_most: 5_000 } },
    { name: 'one program with all it says, median', value: median(durations), unit: 'µs', ...noPeer, aim: { at_most: 100 } },
  ];
}
