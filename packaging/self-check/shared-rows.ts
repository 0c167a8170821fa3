import { wantedPolicies } from '@porchlight/agent/browsers/wanted.ts';
import { asked, evidenceOf, failed, notPlayed, type Outcome, outcomeOf, passed, type Row, type RowTools } from './rows.ts';
import type { CommandOutput } from './system.ts';

/** The agent's own answer, which the dashboard reads too. */
export const connectedRow = (number: number): Row => ({
  ...{ number, part: 'connected', limitSeconds: 6 },
  step: 'Ask the agent on this computer for its state.',
  expected: 'The device is connected to an account.',
  async play({ status }) {
    if (!status) return notPlayed('An agent answers, but to the dashboard of another server.');
    const evidence = `Version ${status.v}, connected to an account: ${status.l && !status.g ? 'yes' : 'no'}.`;
    return status.l && !status.g ? passed(evidence) : failed(evidence);
  },
});

/** On the list of every server, as part of a definition. */
const listedSite = 'net.anydesk.com';
const openSite = 'example.org';

/** How a system looks up a name as every program does. */
export interface NameLookUp {
  command: (name: string) => [string, ...string[]];
  /** Addresses of a name; null when the output is unknown. */
  read: (result: CommandOutput) => string[] | null;
}

/** A blocked site has none, or an address that leads to this computer. */
const isNoAddress = (address: string) => /^(127\.|0\.0\.0\.0$|::1?$)/.test(address);
const isOpen = (addresses: string[]) => addresses.some((address) => !isNoAddress(address));

async function addressesOf({ system }: RowTools, { command, read }: NameLookUp, name: string) {
  const result = await system.run(...command(name));
  return { addresses: result.code === null ? null : read(result), evidence: evidenceOf(command(name), result) };
}

/** Null when the output is unknown. */
export async function resolvesOpenSite(tools: RowTools, lookUp: NameLookUp): Promise<boolean | null> {
  const { addresses } = await addressesOf(tools, lookUp, openSite);
  return addresses && isOpen(addresses);
}

/** A listed site without an address proves something only while other names resolve. */
export const namesRow = (number: number, lookUp: NameLookUp): Row => ({
  ...{ number, part: 'names', needs: ['service'], limitSeconds: 30 },
  step: 'Look up a site of the list, and example.org.',
  expected: 'The site has no address, and example.org has one.',
  async play(tools) {
    const open = await addressesOf(tools, lookUp, openSite);
    const listed = await addressesOf(tools, lookUp, listedSite);
    const evidence = `${open.evidence}\n${listed.evidence}`;
    if (open.addresses === null || listed.addresses === null) return outcomeOf(null, evidence);
    if (!isOpen(open.addresses)) return failed(`${openSite} has no address. Is this computer connected to the internet?\n${evidence}`);
    if (isOpen(listed.addresses)) return failed(`${listedSite} has an address, although it is on the list.\n${evidence}`);
    return passed(evidence);
  },
});

/** The limit of the release checks. */
const BACK_WITHIN_MS = 5000;
/** Asked for longer than the limit, so that a late restart is measured and not only missed. */
const GIVEN_UP_MS = 12_000;
const POLL_MS = 100;

interface RestartDeps {
  number: number;
  /** Null while the service has no process. */
  mainPid: (tools: RowTools) => Promise<number | null>;
  /** Null when the output is unknown. */
  resolves: (tools: RowTools) => Promise<boolean | null>;
  startService: (tools: RowTools) => Promise<unknown>;
}

/** Ends the agent's process: a name must resolve at once, and the service manager must start the agent again. */
export function restartRow({ number, mainPid, resolves, startService }: RestartDeps): Row {
  return {
    ...{ number, part: 'ended by force', needs: ['service', 'administrator', 'restart'], limitSeconds: 30 },
    step: 'End the process of the service, and look up a name at once.',
    expected: 'The name resolves, and the agent is back within five seconds.',
    async play(tools): Promise<Outcome> {
      const { system } = tools;
      const pidBefore = await mainPid(tools);
      if (pidBefore === null) return notPlayed('The service has no process that could be ended.');
      const endedAt = system.now();
      if (!(await system.kill(pidBefore))) return notPlayed('The process of the service could not be ended.');
      const resolvedAtOnce = await resolves(tools);
      let backMs: number | null = null;
      while (backMs === null && system.now() - endedAt < GIVEN_UP_MS) {
        const pid = await mainPid(tools);
        if (pid !== null && pid !== pidBefore && (await system.agentStatus()) !== null) backMs = system.now() - endedAt;
        else await system.wait(POLL_MS);
      }
      const nameSentence =
        resolvedAtOnce === null ? 'Whether a name resolved is unknown.' : `The name ${resolvedAtOnce ? 'resolved' : 'did not resolve'}.`;
      if (backMs === null) return failed(`${nameSentence} The agent was not back after ${GIVEN_UP_MS} ms.`);
      const evidence = `${nameSentence} The agent was back after ${backMs.toFixed(0)} ms.`;
      if (resolvedAtOnce === false || backMs > BACK_WITHIN_MS) return failed(evidence);
      return resolvedAtOnce === null ? notPlayed(evidence) : passed(evidence);
    },
    async undo(tools) {
      if ((await mainPid(tools)) === null) await startService(tools);
    },
  };
}

/** The policies that the agent always sets for each kind of browser: an incident, which may be open, changes others. */
const policiesOf = (kind: 'chromium' | 'firefox') => {
  const setWhen = (incident: boolean) =>
    wantedPolicies(kind, { incident, origins: [] }, false).flatMap(({ path, value }) => (value === null ? [] : [String(path.at(-1))]));
  const inIncident = setWhen(true);
  return setWhen(false).filter((name) => inIncident.includes(name));
};

/** `text`: what the system has for this browser; null when it has nothing. */
interface BrowserText {
  browser: string;
  text: string | null;
}

/**
 * Whether browsers are managed is a choice on the dashboard, which the self-check does not know. So none is no result, and only some of the
 * policies of a browser are a failure.
 */
export function browserOutcome(browsers: BrowserText[]): Outcome {
  const found = browsers.map(({ browser, text }) => {
    const policies = policiesOf(browser === 'Firefox' ? 'firefox' : 'chromium');
    return { browser, policies, set: policies.filter((policy) => text?.includes(policy)) };
  });
  const evidence = found.map(({ browser, policies, set }) => `${browser}: ${set.length} of ${policies.length} policies`).join('\n');
  if (found.every(({ set }) => set.length === 0))
    return notPlayed(`Browsers are not managed on the dashboard, or no policy is set.\n${evidence}`);
  return found.every(({ policies, set }) => set.length === 0 || set.length === policies.length) ? passed(evidence) : failed(evidence);
}

/** Reads with a command for each browser what the system has for it; a command that fails found nothing. */
export async function playPolicies(
  { system }: RowTools,
  browsers: readonly (readonly [browser: string, store: string])[],
  command: (store: string) => [string, ...string[]],
): Promise<Outcome> {
  const found = await Promise.all(browsers.map(async ([browser, store]) => ({ browser, ...(await system.run(...command(store))) })));
  if (found.some(({ code }) => code === null)) return notPlayed('The policies could not be read.');
  return browserOutcome(found.map(({ browser, code, output }) => ({ browser, text: code === 0 ? output : null })));
}

export const browsersRow = (number: number, browsers: string): Row =>
  asked(
    number,
    'browsers',
    `Open ${listedSite} in ${browsers}.`,
    'It opens in none of them.',
    `Please open ${listedSite} in each of your browsers. Did it stay closed in all of them?`,
    [],
    45,
  );
