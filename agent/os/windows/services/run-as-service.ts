import type { ServiceCalls } from '../native/services.ts';

export const serviceName = 'Porchlight';

const [stoppedState, startingState, stoppingState, runningState] = [1, 2, 3, 4];
/** Stop, shutdown and power events. */
const acceptedControls = 0x1 | 0x4 | 0x40;
const controls = { stop: 1, interrogate: 4, shutdown: 5, power: 13 } as const;
const notImplemented = 120;
/** The wait hint for starting and stopping, in milliseconds. */
const WAIT_HINT_MS = 20_000;

/**
 * Runs this process as the service. `begin` is called once; its argument reports a failure, so that Windows restarts the service. `end` is
 * called with the reason to stop, `power` with sleep events. Resolves to true when the service has stopped, false when this process is no
 * service.
 */
export async function runAsService(
  calls: ServiceCalls,
  begin: (reportFailure: () => void) => Promise<void>,
  end: (reason: 'shutdown' | 'stopped') => Promise<void>,
  power: (event: number) => void,
): Promise<boolean> {
  let handle: number | bigint = 0;
  const reportState = (state: number, code = 0) => {
    const status = Buffer.alloc(28);
    const isPending = state === startingState || state === stoppingState;
    for (const [n, value] of [
      0x10,
      state,
      state === runningState ? acceptedControls : 0,
      code,
      0,
      isPending ? 1 : 0,
      isPending ? WAIT_HINT_MS : 0,
    ].entries()) {
      status.writeUInt32LE(value, n * 4);
    }
    calls.setStatus(handle, status);
  };
  const stop = (reason: 'shutdown' | 'stopped') => {
    reportState(stoppingState);
    void end(reason).then(
      () => reportState(stoppedState),
      () => reportState(stoppedState, 1),
    );
  };
  const control = calls.controlCallback((controlCode, event) => {
    if (controlCode === controls.stop) stop('stopped');
    else if (controlCode === controls.shutdown) stop('shutdown');
    else if (controlCode === controls.power) power(event);
    else if (controlCode !== controls.interrogate) return notImplemented;
    return 0;
  });
  const main = calls.mainCallback(() => {
    handle = calls.registerHandler(serviceName, control, null);
    reportState(startingState);
    begin(() => reportState(stoppedState, 1)).then(
      () => reportState(runningState),
      () => reportState(stoppedState, 1),
    );
  });
  return new Promise((resolve, reject) => {
    const table = [
      { name: serviceName, main },
      { name: null, main: null },
    ];
    // The dispatcher returns when the service has stopped.
    calls.dispatcher.async(table, (err: Error | null, ok: number) => (err ? reject(err) : resolve(ok !== 0)));
  });
}
