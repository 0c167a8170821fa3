import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HandOver } from '@porchlight/contract/loopback.ts';
import { mayPass, Refused } from '../api/call.ts';
import { LinkRefused } from '../api/enrol.ts';
import type { Os } from '../os/port.ts';
import type { AgentEvents, DiskScan, Incident, Incidents, LocalControls, Ownership } from '../ports.ts';
import type { InForce } from '../state/in-force.ts';
import { messages } from './messages/messages.ts';
import type { PageName } from './window/page.ts';
import type { WindowState } from './window/state.ts';
import { whoKnows } from './window/who-knows.ts';
import { agentWindow, type WindowAction } from './window/window.ts';

/** How long the server may be silent before the person hears of it: it answers every minute. In milliseconds. */
const silentFor = 5 * 60_000;

export interface ScreenDeps {
  os: Pick<Os, 'isForViewer'>;
  /** What keeps this computer from being protected whole, in sentences. */
  problems: () => string[];
  events: AgentEvents;
  inForce: InForce;
  incidents: Incidents;
  controls: LocalControls;
  ownership: Ownership;
  diskScan: DiskScan;
  version: string;
  lastContact: () => Date | null;
  now: () => Date;
}

export interface Screen {
  /** A new address of the window, which opens it once. */
  newUrl(port: number): string;
  /** A link that the dashboard hands over. Where the person is asked about it the window asks, and it is refused meanwhile. */
  takeLink(link: HandOver): Promise<void>;
  handle(request: IncomingMessage, body: string, response: ServerResponse): Promise<void>;
}

/** What is asked is no failure: the first page asks it. */
const isAsked = (err: unknown) => err instanceof LinkRefused && (err.code === 'asked' || err.code === 'pin_needed');

/** Throws a sentence for the person also where nobody answered. */
async function connecting(work: Promise<void>): Promise<string> {
  await work.catch((err: unknown) => {
    throw mayPass(err) && !(err instanceof Refused && err.status === 429) ? new Error(messages.unreachable) : err;
  });
  return messages.connected;
}

/** What the person sees, from what is in force; and what they press, to who does it. */
export function localScreen(deps: ScreenDeps): Screen {
  const { os, events, inForce, incidents, controls, ownership, diskScan, now } = deps;
  /** Of which incident the person has said that they want it. */
  let asked: Date | null = null;
  const began = now().getTime();

  /** Null while the server answers, or where nobody has to be told anything. */
  const away = (): WindowState['away'] => {
    const since = deps.lastContact();
    return inForce.identity && now().getTime() - (since?.getTime() ?? began) > silentFor ? { since } : null;
  };
  const family = () => (inForce.identity && inForce.policy?.family) ?? [];
  const knows = (incident: Incident | null): WindowState['knows'] => {
    if (!incident?.detection || incident.detection.device !== inForce.identity?.device.uuid) return { kind: 'nobody' };
    return whoKnows(incident.told, family(), (deps.lastContact()?.getTime() ?? 0) >= incident.first.getTime());
  };

  const state = (page: PageName): WindowState => {
    const { identity, policy, free } = inForce;
    const incident = incidents.current(now());
    return {
      link: identity
        ? { state: 'linked', device: policy?.device_name ?? identity.device.name }
        : { state: free === 'chosen' ? 'free' : (free ?? 'unlinked') },
      incident,
      knows: knows(incident),
      away: away(),
      unknown_for: controls.formerAccount.unknownLeft(),
      pin_for: identity ? 0 : controls.formerAccount.pinLeft(),
      asked: asked !== null && asked === incident?.first,
      family: family(),
      limitations: deps.problems(),
      paused_for: controls.pausedFor(),
      holder: ownership.holder(),
      // From the time that it is shown its yes is ten seconds away, so it is asked for where it is shown.
      question: page === '' ? ownership.question() : null,
      undo: ownership.undoable(),
      strict_for: ownership.strictFor(),
      leaves_in: inForce.identity && ownership.leavesIn(),
      look: diskScan.state(),
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
      const said = await connecting(ownership.answer(fields.get('question') ?? '', yes, pin));
      return yes ? said : messages.question.said;
    },
    async undo() {
      await ownership.undo();
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
      await controls.mayPutBack(fields.get('pin') ?? '');
      const { name, why } = await diskScan.putBack(fields.get('entry') ?? '');
      if (why) throw new Error(messages.look.notBack[why]);
      // It is only there again: that it may run is for the family to say.
      if (inForce.identity) await controls.ask(name);
      return messages.look.isBack(name);
    },
    async ask() {
      const incident = incidents.current(now());
      if (!incident || !inForce.identity || asked === incident.first) return null;
      await controls.ask(incident.match.name);
      asked = incident.first;
      return null;
    },
  };
  const window = agentWindow({
    state,
    actions,
    mayOpen: async (...asked) => (await os.isForViewer?.(...asked)) ?? true,
    now: () => now().getTime(),
  });

  return {
    newUrl: window.newUrl,
    async takeLink(handed) {
      try {
        await ownership.link.byLink(handed);
      } catch (err) {
        if (isAsked(err)) events.emit('windowWanted');
        throw err;
      }
    },
    handle: window.handle,
  };
}
