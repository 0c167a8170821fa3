import type { ServiceCalls } from '../native/services.ts';

export const serviceName = 'Porchlight';

const [stopped, starting, stopping, running] = [1, 2, 3, 4];
/** To be stopped, to hear of a shutdown, and of sleep. */
const accepted = 0x1 | 0x4 | 0x40;
const controls = { stop: 1, interrogate: 4, shutdown: 5, power: 13 } as const;
const notImplemented = 120;
/** How long starting and stopping may take, as we tell the system. Milliseconds. */
const hint = 20_000;

/**
 * Lets Windows run this process as the service. `begin` is called once, `end` when it is to stop, with why; `power` with what it says of sleep. What
 * `begin` is given says that this process ends by itself, so that Windows starts the service again. Resolves with false when this
 * process was not started as a service, with true when the service has stopped.
 */
export async function runAsService(
  calls: ServiceCalls,
  begin: (leave: () => void) => Promise<void>,
  end: (why: 'shutdown' | 'stopped') => Promise<void>,
  power: (event: number) => void,
): Promise<boolean> {
  let handle: number | bigint = 0;
  const reportState = (state: number, code = 0) => {
    const status = Buffer.alloc(28);
    const waits = state === starting || state === stopping;
    for (const [n, value] of [0x10, state, state === running ? accepted : 0, code, 0, waits ? 1 : 0, waits ? hint : 0].entries()) {
      status.writeUInt32LE(value, n * 4);
    }
    calls.setStatus(handle, status);
  };
  const stop = (why: 'shutdown' | 'stopped') => {
    reportState(stopping);
    void end(why).then(
      () => reportState(stopped),
      () => reportState(stopped, 1),
    );
  };
  const control = calls.controlCallback((what, event) => {
    if (what === controls.stop) stop('stopped');
    else if (what === controls.shutdown) stop('shutdown');
    else if (what === controls.power) power(event);
    else if (what !== controls.interrogate) return notImplemented;
    return 0;
  });
  const main = calls.mainCallback(() => {
    handle = calls.registerHandler(serviceName, control, null);
    reportState(starting);
    begin(() => reportState(stopped, 1)).then(
      () => reportState(running),
      () => reportState(stopped, 1),
    );
  });
  return new Promise((resolve, reject) => {
    const table = [
      { name: serviceName, main },
      { name: null, main: null },
    ];
    // Comes back only when the service has stopped.
    calls.dispatcher.async(table, (err: Error | null, ok: number) => (err ? reject(err) : resolve(ok !== 0)));
  });
}
