import type { MacNative } from './native.ts';

/** `name`: the launchd label. */
export interface MacService {
  name: string;
  /** Login name; undefined for a system service. */
  user?: string;
}

export interface MacServiceState {
  running: boolean;
  enabled: boolean;
}

const launchctl = '/bin/launchctl';
/** Labels become part of command lines and launchd paths. */
const labelPattern = /^[\w.-]{1,200}$/;

/** Null when launchd does not know the service. */
export async function serviceState(native: MacNative, service: MacService): Promise<MacServiceState | null> {
  const domain = await domainOf(native, service);
  if (!domain || !labelPattern.test(service.name)) return null;
  const disabledList = await native.run(launchctl, ['print-disabled', domain]);
  const enabled = !new RegExp(`"${service.name.replaceAll('.', '\\.')}" => (disabled|true)`).test(disabledList.out);
  const { code, out } = await native.run(launchctl, ['print', `${domain}/${service.name}`]);
  if (code !== 0) return enabled ? null : { running: false, enabled };
  return { running: /^[ \t]*state = running/m.test(out), enabled };
}

/** Disables a service before stopping it, since KeepAlive would restart it in between. True on success. */
export async function setService(native: MacNative, service: MacService, wantedState: MacServiceState, plist?: string): Promise<boolean> {
  const domain = await domainOf(native, service);
  if (!domain || !labelPattern.test(service.name)) return false;
  const serviceTarget = `${domain}/${service.name}`;
  await native.run(launchctl, [wantedState.enabled ? 'enable' : 'disable', serviceTarget]);
  const printResult = await native.run(launchctl, ['print', serviceTarget]);
  if (!wantedState.running) {
    // Killed first: `bootout` alone would give the service time to act.
    if (printResult.code === 0) {
      await native.run(launchctl, ['kill', 'SIGKILL', serviceTarget]);
      await native.run(launchctl, ['bootout', serviceTarget]);
    }
  } else if (printResult.code !== 0 && plist) await native.run(launchctl, ['bootstrap', domain, plist]);
  else await native.run(launchctl, ['kickstart', serviceTarget]);
  const currentState = await serviceState(native, service);
  return wantedState.running ? currentState?.running === true : !currentState?.running;
}

/** The launchd domain: `system`, or `gui/501`; null for an unknown user. */
async function domainOf(native: MacNative, { user }: MacService): Promise<string | null> {
  if (user === undefined) return 'system';
  const { code, out } = await native.run('/usr/bin/id', ['-u', user]);
  return code === 0 && /^\d+$/.test(out.trim()) ? `gui/${out.trim()}` : null;
}
