import type { MacNative } from './native.ts';

/** A daemon of the system, or an agent of one user, by the label that launchd knows it by. */
export interface MacService {
  name: string;
  /** Login name; the system's when left out. */
  user?: string;
}

export interface MacServiceState {
  running: boolean;
  /** It starts by itself. */
  enabled: boolean;
}

const launchctl = '/bin/launchctl';
/** A label is put on a command line and into a path of launchd. */
const label = /^[\w.-]{1,200}$/;

/** Null when launchd knows no such service. */
export async function serviceState(native: MacNative, service: MacService): Promise<MacServiceState | null> {
  const domain = await domainOf(native, service);
  if (!domain || !label.test(service.name)) return null;
  const disabled = await native.run(launchctl, ['print-disabled', domain]);
  const enabled = !new RegExp(`"${service.name.replaceAll('.', '\\.')}" => (disabled|true)`).test(disabled.out);
  const { code, out } = await native.run(launchctl, ['print', `${domain}/${service.name}`]);
  if (code !== 0) return enabled ? null : { running: false, enabled };
  return { running: /^\s*state = running/m.test(out), enabled };
}

/** Makes it run or not, now and at the next start. `disable` comes first: a service with KeepAlive would be back between the two. True when it is so. */
export async function setService(native: MacNative, service: MacService, wanted: MacServiceState, plist?: string): Promise<boolean> {
  const domain = await domainOf(native, service);
  if (!domain || !label.test(service.name)) return false;
  const place = `${domain}/${service.name}`;
  await native.run(launchctl, [wanted.enabled ? 'enable' : 'disable', place]);
  const before = await native.run(launchctl, ['print', place]);
  if (!wanted.running) {
    // Never asked first: `bootout` alone leaves it its time to end, in which it does what it likes.
    if (before.code === 0) {
      await native.run(launchctl, ['kill', 'SIGKILL', place]);
      await native.run(launchctl, ['bootout', place]);
    }
  } else if (before.code !== 0 && plist) await native.run(launchctl, ['bootstrap', domain, plist]);
  else await native.run(launchctl, ['kickstart', place]);
  const now = await serviceState(native, service);
  return wanted.running ? now?.running === true : !now?.running;
}

/** `system`, or `gui/501`; null for a user that there is not. */
async function domainOf(native: MacNative, { user }: MacService): Promise<string | null> {
  if (user === undefined) return 'system';
  const { code, out } = await native.run('/usr/bin/id', ['-u', user]);
  return code === 0 && /^\d+$/.test(out.trim()) ? `gui/${out.trim()}` : null;
}
