import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AgentLimitation } from '@porchlight/contract/device-health.ts';
import type { HandOver } from '@porchlight/contract/loopback.ts';
import { brandOf, pausedSiteOf } from '@porchlight/contract/unlisted-protection.ts';
import { isOtherProtocol, isTransient, Refused } from '../api/call.ts';
import { LinkRefused } from '../api/enrol.ts';
import { sameSecret } from '../lib/same-secret.ts';
import type { Os } from '../os/port.ts';
import type {
  AgentEvents,
  DiskScan,
  Incident,
  Incidents,
  LocalControls,
  NetworkIsolationControl,
  Ownership,
  PausedSiteControl,
} from '../ports.ts';
import type { InForce } from '../state/in-force.ts';
import { helpingMessages } from './messages/lock.ts';
import { messages } from './messages/messages.ts';
import type { PageName } from './window/page.ts';
import type { WindowState } from './window/state.ts';
import { whoKnows } from './window/who-knows.ts';
import { agentWindow, type WindowAction } from './window/window.ts';

/** Milliseconds without contact before the window says so; the server answers every minute. */
const MAX_CONTACT_GAP_MS = 5 * 60_000;

export interface ScreenDeps {
  os: Pick<Os, 'info' | 'isForViewer'>;
  problems: () => string[];
  limitations: () => AgentLimitation[];
  events: AgentEvents;
  inForce: InForce;
  incidents: Incidents;
  pausedSites: PausedSiteControl;
  controls: LocalControls;
  ownership: Ownership;
  isolation: NetworkIsolationControl;
  diskScan: DiskScan;
  version: string;
  lastContact: () => Date | null;
  now: () => Date;
}

export interface Screen {
  newUrl(port: number, page?: PageName): string;
  /** Where the user must consent, the link is refused and the window asks. */
  takeLink(link: HandOver): Promise<void>;
  handle(request: IncomingMessage, body: string, response: ServerResponse): Promise<void>;
}

const isAsked = (err: unknown) => err instanceof LinkRefused && (err.code === 'asked' || err.code === 'pin_needed');

async function connecting(work: Promise<void>): Promise<string> {
  await work.catch((err: unknown) => {
    const hasOwnWords = isOtherProtocol(err) || (err instanceof Refused && err.status === 429);
    throw isTransient(err) && !hasOwnWords ? new Error(messages.unreachable) : err;
  });
  return messages.connected;
}

export function localScreen(deps: ScreenDeps): Screen {
  const { os, events, inForce, incidents, pausedSites, controls, ownership, isolation, diskScan, now } = deps;
  let requestedIncident: Date | null = null;
  const startedAt = now().getTime();

  /** The last contact with the server; null while the server answers, or without an account. */
  const contactGap = (): WindowState['away'] => {
    const since = deps.lastContact();
    return inForce.identity && now().getTime() - (since?.getTime() ?? startedAt) > MAX_CONTACT_GAP_MS ? { since } : null;
  };
  const relatives = () => (inForce.identity && inForce.policy?.relatives) ?? [];
  const whoKnowsOf = (incident: Incident | null): WindowState['knows'] => {
    if (!incident?.detection || incident.detection.device !== inForce.identity?.device.uuid) return { kind: 'nobody' };
    return whoKnows(incident.notified, relatives(), (deps.lastContact()?.getTime() ?? 0) >= incident.first.getTime());
  };

  const pausedSiteState = ({ match }: Incident): WindowState['paused_site'] => {
    const site = pausedSiteOf(match.identifier);
    return site === null ? null : pausedSites.stateOf(site);
  };

  const stopInForce = (): WindowState['stop'] => {
    const stop = inForce.identity && inForce.policy?.emergency_stop;
    return stop ? { by: stop.by, until: new Date(stop.until) } : null;
  };

  const state = (page: PageName): WindowState => {
    const { identity, policy, free } = inForce;
    const incident = incidents.current(now());
    return {
      now: now(),
      link: identity
        ? { state: 'linked', device: policy?.device_name ?? identity.device.name }
        : { state: free === 'chosen' ? 'free' : (free ?? 'unlinked') },
      incident,
      knows: whoKnowsOf(incident),
      away: contactGap(),
      unknown_for: controls.formerAccount.unrecognizedLeft(),
      pin_for: identity ? 0 : controls.formerAccount.pinLeft(),
      paused_site: incident && pausedSiteState(incident),
      asked: requestedIncident !== null && requestedIncident === incident?.first,
      relatives: relatives(),
      cannot: deps.limitations(),
      limitations: deps.problems(),
      paused_for: controls.pausedFor(),
      holder: ownership.holder(),
      // Reading the question starts the delay of yes, so it is read only for the page that shows it.
      question: page === '' ? ownership.question() : null,
      undo: ownership.undoable(),
      strict_for: ownership.strictFor(),
      locked: identity !== null && controls.lock.current() !== null,
      stop: stopInForce(),
      isolation: isolation.state(),
      helping: controls.appointments.running(),
      leaves_in: inForce.identity && ownership.leavesIn(),
      diskScan: diskScan.state(),
      relay_off: os.info().platform === 'macos' && !deps.limitations().includes('sites_not_blocked'),
      version: deps.version,
      last_contact: deps.lastContact(),
      protects: inForce.protects(),
      actions: (inForce.protects() && inForce.rules()?.actions) || null,
    };
  };
  const byCode: WindowAction = async (fields) => {
    try {
      return await connecting(ownership.link.byCode(fields.get('code') ?? ''));
    } catch (err) {
      if (isAsked(err)) return null;
      throw err;
    }
  };
  const actions: Record<string, WindowAction> = {
    link: byCode,
    other: byCode,
    async answer(fields) {
      const [yes, pin] = [fields.get('answer') === 'yes', fields.get('pin') ?? undefined];
      const result = await connecting(ownership.answer(fields.get('question') ?? '', yes, pin));
      return yes ? result : messages.question.said;
    },
    async undo(fields) {
      await ownership.undo(fields.get('pin') ?? '');
      return messages.undo.done;
    },
    async stay() {
      await ownership.stay();
      return messages.leaving.kept;
    },
    async pause(fields) {
      if (fields.get('understood') !== 'yes') throw new Error(messages.pause.tick);
      await controls.pause(Number(fields.get('minutes')), fields.get('pin') ?? '');
      return null;
    },
    async resume() {
      await controls.resume();
      return null;
    },
    async found(fields) {
      const chosen = fields.get('entry') ?? '';
      const finding = diskScan.state().found.find(({ key }) => sameSecret(key, chosen));
      await controls.checkMayRestore(fields.get('pin') ?? '', finding?.identifier ?? '');
      const { name, why } = await diskScan.restore(chosen);
      if (why) throw new Error(messages.scan.notBack[why]);
      // The restored program is still blocked, so the guardians are asked to decide.
      if (inForce.identity) await controls.ask(name);
      return messages.scan.isBack(name);
    },
    async allow(fields) {
      const incident = incidents.current(now());
      if (!incident || incident.kind !== 'program' || !inForce.identity) return null;
      await controls.allow(incident.match, fields.get('pin') ?? '');
      return messages.lock.allowed(incident.match.name);
    },
    async help() {
      await controls.help();
      return null;
    },
    async open_site() {
      const match = incidents.current(now())?.match;
      const site = match && pausedSiteOf(match.identifier);
      if (match && site) await pausedSites.press(site, brandOf(match.why));
      return null;
    },
    async end_help() {
      await controls.appointments.end('user');
      return helpingMessages.ended;
    },
    async reconnect() {
      await isolation.end();
      return messages.help.reconnected;
    },
    async ask() {
      const incident = incidents.current(now());
      if (!incident || !inForce.identity || requestedIncident === incident.first) return null;
      await controls.ask(incident.match.name);
      requestedIncident = incident.first;
      return null;
    },
  };
  const window = agentWindow({
    state,
    actions,
    mayOpen: async (...args) => (await os.isForViewer?.(...args)) ?? true,
    now: () => now().getTime(),
  });

  return {
    newUrl: window.newUrl,
    async takeLink(signedLink) {
      try {
        await ownership.link.byLink(signedLink);
      } catch (err) {
        if (isAsked(err)) events.emit('windowWanted');
        throw err;
      }
    },
    handle: window.handle,
  };
}
