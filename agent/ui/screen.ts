import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HandOver } from '@porchlight/contract/loopback.ts';
import { mayPass, Refused } from '../api/call.ts';
import { LinkRefused } from '../api/enrol.ts';
import type { DiskScan } from '../disk-scan/disk-scan.ts';
import type { Ownership } from '../link/ownership.ts';
import type { LocalControls } from '../lock/local-controls.ts';
import type { Os } from '../os/port.ts';
import type { InForce } from '../state/in-force.ts';
import { words } from './messages/messages.ts';
import type { Incident, Incidents } from './window/incidents.ts';
import type { PageName } from './window/page.ts';
import type { WindowState } from './window/state.ts';
import { whoKnows } from './window/who-knows.ts';
import { agentWindow, type WindowAction } from './window/window.ts';

/** How long the server may be silent before the person hears of it: it answers every minute. In milliseconds. */
const silentFor = 5 * 60_000;

export interface ScreenDeps {
  os: Os;
  inForce: InForce;
  incidents: Incidents;
  control: LocalControls;
  owner: Ownership;
  around: DiskScan;
  /** Where the window is answered; null when it is not. */
  port: () => number | null;
  version: string;
  lastContact: () => Date | null;
  now: () => Date;
  log: (sentence: string) => void;
}

export interface Screen {
  /** Opens the window, or says where it is. */
  show(): void;
  /** A link that the dashboard hands over. Where the person is asked about it the window asks, and it is refused meanwhile. */
  takeLink(link: HandOver): Promise<void>;
  handle(request: IncomingMessage, body: string, response: ServerResponse): Promise<void>;
}

/** What is asked is no failure: the first page asks it. */
const isAsked = (err: unknown) => err instanceof LinkRefused && (err.code === 'asked' || err.code === 'pin_needed');

/** Throws a sentence for the person also where nobody answered. */
async function connecting(work: Promise<void>): Promise<string> {
  await work.catch((err: unknown) => {
    throw mayPass(err) && !(err instanceof Refused && err.status === 429) ? new Error(words.unreachable) : err;
  });
  return words.connected;
}

/** What the person sees, from what is in force; and what they press, to who does it. */
export function localScreen(parts: ScreenDeps): Screen {
  const { os, inForce, incidents, control, owner, around, now } = parts;
  /** Of which incident the person has said that they want it. */
  let asked: Date | null = null;
  const began = now().getTime();

  /** Null while the server answers, or where nobody has to be told anything. */
  const away = (): WindowState['away'] => {
    const since = parts.lastContact();
    return inForce.identity && now().getTime() - (since?.getTime() ?? began) > silentFor ? { since } : null;
  };
  const family = () => (inForce.identity && inForce.policy?.family) ?? [];
  const knows = (incident: Incident | null): WindowState['knows'] => {
    if (!incident?.detection || incident.detection.device !== inForce.identity?.device.uuid) return { kind: 'nobody' };
    return whoKnows(incident.told, family(), (parts.lastContact()?.getTime() ?? 0) >= incident.first.getTime());
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
      unknown_for: control.after.unknownLeft(),
      pin_for: identity ? 0 : control.after.pinLeft(),
      asked: asked !== null && asked === incident?.first,
      family: family(),
      limitations: os.limitations(),
      paused_for: control.pausedFor(),
      holder: owner.holder(),
      // From the time that it is shown its yes is ten seconds away, so it is asked for where it is shown.
      question: page === '' ? owner.question() : null,
      undo: owner.undoable(),
      strict_for: owner.strictFor(),
      leaves_in: inForce.identity && owner.leavesIn(),
      look: around.state(),
      version: parts.version,
      last_contact: parts.lastContact(),
      protects: inForce.protects(),
      actions: (inForce.protects() && inForce.rules()?.actions) || null,
    };
  };
  const byCode: WindowAction = async (fields) => {
    try {
      return await connecting(owner.link.byCode(fields.get('code') ?? ''));
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
      const said = await connecting(owner.answer(fields.get('question') ?? '', yes, pin));
      return yes ? said : words.question.said;
    },
    async undo() {
      await owner.undo();
      return words.undo.done;
    },
    async stay() {
      await owner.stay();
      return words.leaving.kept;
    },
    async pause(fields) {
      if (fields.get('understood') !== 'yes') throw new Error(words.pause.tick);
      await control.pause(Number(fields.get('minutes')), fields.get('pin') ?? '');
      return null;
    },
    async resume() {
      await control.resume();
      return null;
    },
    async found(fields) {
      await control.mayPutBack(fields.get('pin') ?? '');
      const { name, why } = await around.putBack(fields.get('entry') ?? '');
      if (why) throw new Error(words.look.notBack[why]);
      // It is only there again: that it may run is for the family to say.
      if (inForce.identity) await control.ask(name);
      return words.look.isBack(name);
    },
    async ask() {
      const incident = incidents.current(now());
      if (!incident || !inForce.identity || asked === incident.first) return null;
      await control.ask(incident.match.name);
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

  const show = () => {
    const port = parts.port();
    if (port === null) return;
    const url = window.newUrl(port);
    void Promise.resolve(os.openWindow(url))
      .catch(() => false)
      .then((shown) => shown || parts.log(words.terminal.window(url)));
  };
  return {
    show,
    async takeLink(handed) {
      try {
        await owner.link.byLink(handed);
      } catch (err) {
        if (isAsked(err)) show();
        throw err;
      }
    },
    handle: window.handle,
  };
}
