import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HandOver } from '@porchlight/contract/loopback.ts';
import type { Control } from './control.ts';
import type { InForce } from './in-force.ts';
import type { Linking } from './linking.ts';
import type { LookingAround } from './look-around.ts';
import type { Os } from './os/port.ts';
import { mayPass, Refused } from './sync/call.ts';
import { LinkRefused } from './sync/enrol.ts';
import type { Incident, Incidents } from './window/incidents.ts';
import type { WindowState } from './window/state.ts';
import { agentWindow, type WindowAction } from './window/window.ts';
import { words } from './window/words.ts';

/** How long the server may be silent before the person hears of it: it answers every minute. In milliseconds. */
const silentFor = 5 * 60_000;

/** How long a link that was handed over waits for the PIN. In milliseconds. */
const pendingLife = 10 * 60_000;

export interface ScreenParts {
  os: Os;
  inForce: InForce;
  incidents: Incidents;
  control: Control;
  link: Linking;
  around: LookingAround;
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
  /** A link that the dashboard hands over. One that needs the PIN waits for it in the window, and is refused meanwhile. */
  takeLink(link: HandOver): Promise<void>;
  handle(request: IncomingMessage, body: string, response: ServerResponse): Promise<void>;
}

/** Throws a sentence for the person also where nobody answered. */
async function connecting(work: Promise<void>): Promise<string> {
  await work.catch((err: unknown) => {
    throw mayPass(err) && !(err instanceof Refused && err.status === 429) ? new Error(words.unreachable) : err;
  });
  return words.connected;
}

/** What the person sees, from what is in force; and what they press, to who does it. */
export function windowOf(parts: ScreenParts): Screen {
  const { os, inForce, incidents, control, link, around, now } = parts;
  /** Of which incident the family was told that it is wanted. */
  let asked: Date | null = null;
  let pending: { link: HandOver; until: number } | null = null;
  const began = now().getTime();
  const waiting = () => (pending && pending.until > now().getTime() ? pending.link : null);

  /** Null while the server answers, or where nobody has to be told anything. */
  const away = (): WindowState['away'] => {
    const since = parts.lastContact();
    return inForce.identity && now().getTime() - (since?.getTime() ?? began) > silentFor ? { since } : null;
  };
  const told = (incident: Incident | null): WindowState['told'] => {
    if (!incident?.family_told) return 'nobody';
    // What is kept is sent before the server is asked for anything more.
    return (parts.lastContact()?.getTime() ?? 0) >= incident.last.getTime() ? 'told' : 'soon';
  };

  const state = (): WindowState => {
    const { identity, policy, free } = inForce;
    const incident = incidents.current(now());
    return {
      link: identity
        ? { state: 'linked', device: policy?.device_name ?? identity.device.name }
        : { state: free === 'chosen' ? 'free' : (free ?? 'unlinked') },
      incident,
      told: told(incident),
      away: away(),
      asked: asked !== null && asked === incident?.first,
      family: (identity && policy?.family) ?? [],
      limitations: os.limitations(),
      paused_for: control.pausedFor(),
      pending: waiting()?.signature ?? null,
      look: around.state(),
      version: parts.version,
      last_contact: parts.lastContact(),
      protects: inForce.protects(),
      actions: (inForce.protects() && inForce.rules()?.actions) || null,
    };
  };
  const actions: Record<string, WindowAction> = {
    link: (fields) => connecting(link.byCode(fields.get('code') ?? '')),
    async other(fields) {
      const [pin, code, handed] = [fields.get('pin') ?? '', fields.get('code'), waiting()];
      // A PIN that was typed for a code, or for one link, is good for no other link: anybody who has an account can hand one over meanwhile.
      if (code === null && (!handed || fields.get('handed') !== handed.signature)) throw new Error(words.otherLink);
      const said = await connecting(code === null && handed ? link.byLink(handed, pin) : link.byCode(code ?? '', pin));
      pending = null;
      return said;
    },
    async forget() {
      pending = null;
      return words.linkForgotten;
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
  const window = agentWindow({ state, actions, now: () => now().getTime() });

  const show = (page?: 'other') => {
    const port = parts.port();
    if (port === null) return;
    const url = window.newUrl(port, page);
    void Promise.resolve(os.openWindow(url))
      .catch(() => false)
      .then((shown) => shown || parts.log(words.terminal.window(url)));
  };
  return {
    show: () => show(),
    async takeLink(handed) {
      try {
        await link.byLink(handed);
      } catch (err) {
        if (err instanceof LinkRefused && err.code === 'pin_needed') {
          pending = { link: handed, until: now().getTime() + pendingLife };
          show('other');
        }
        throw err;
      }
    },
    handle: window.handle,
  };
}
