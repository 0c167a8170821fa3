import type { GuardianView } from '@porchlight/contract/guardians.ts';
import { zero_time } from '@porchlight/contract/limits.ts';
import { lazy, type ReactNode } from 'react';
import { isRecent, type SafeAlert } from '../../../lib/open-alerts.ts';
import type { SafeDevice } from '../../../lib/safe-fact.ts';
import { safeSentence } from '../../../lib/safe-sentence.ts';
import { type Polled, useFreshness } from '../../../lib/use-freshness.ts';
import { useNow } from '../../../lib/use-now.ts';
import { useTitle } from '../../../lib/use-title.ts';
import { StatePanel } from '../../../ui/state-panel.tsx';
import { Collapsible } from './collapsible.tsx';
import { DeviceRow } from './device-row.tsx';
import { isReached } from './is-reached.ts';
import { LazyPart } from './lazy-part.tsx';
import { messages } from './messages.ts';
import { Urgent } from './urgent.tsx';
import './guardian.css';

/** Loaded on demand: collapsed during an open alert. */
const Alerts = lazy(async () => ({ default: (await import('./alerts.tsx')).Alerts }));
/** Only about a new computer. */
const Known = lazy(async () => ({ default: (await import('./known.tsx')).Known }));
/** Height of a collapsed alert with its margin, in px. */
const alertHeight = 116;

interface OverviewProps {
  view: GuardianView;
  level?: 1 | 2;
  polled?: Polled;
  /** What is shown after the most urgent. */
  atTop?: ReactNode;
  children?: ReactNode;
}

/** The sentence that the holder sees too, the advice, the devices, the alerts (P5.2). */
export function Overview({ view, level = 1, polled, atTop, children }: OverviewProps) {
  const now = useNow();
  const freshness = useFreshness(now, ...(polled ? [polled] : []));
  const { holder_name: holder, alerts: viewAlerts } = view;
  const alerts = viewAlerts.map(asSafeAlert);
  const devices = view.devices.map((device) => asSafeDevice(device, alerts, freshness.moment));
  const asked = (n: number) => {
    const device = view.devices[n];
    if (!device || device.known === 'unasked') return null;
    return (
      <LazyPart height={96}>
        <Known of={device} holder={holder} />
      </LazyPart>
    );
  };
  const safeState = safeSentence({ devices, alerts, now, freshness, holder, plan: view.plan, incidents: view.incidents });
  const urgent = safeState.mood === 'danger' || safeState.mood === 'stopped';
  const worstAlert = viewAlerts.find(({ uuid }) => uuid === safeState.alert?.uuid);
  useTitle(level === 1 ? `${safeState.title} · ${messages.lookOut(holder)}` : undefined);
  const lines = urgent
    ? safeState.lines.slice(0, 1)
    : [...safeState.lines, ...(safeState.mood === 'safe' && isReached(view) ? [messages.nothingToDo] : [])];
  return (
    <>
      <StatePanel
        safe={{ ...safeState, lines }}
        freshness={freshness}
        now={now}
        level={level}
        label={messages.lookOut(holder)}
        lead={messages.lookOut(holder)}
      />
      {urgent && <Urgent safe={safeState} alert={worstAlert} holder={holder} />}
      {atTop}
      <Collapsible id="own-devices" title={messages.devices} open={!urgent}>
        {devices.length === 0 && <p>{messages.noDevices}</p>}
        <ul className="stack">
          {devices.map((device, n) => (
            <DeviceRow key={device.name} device={device} alerts={alerts} now={now} moment={freshness.moment}>
              {asked(n)}
            </DeviceRow>
          ))}
        </ul>
      </Collapsible>
      <Collapsible id="own-alerts" title={messages.alerts} open={!urgent}>
        {viewAlerts.length === 0 ? (
          <p>{messages.none(holder)}</p>
        ) : (
          <LazyPart height={viewAlerts.length * alertHeight}>
            <Alerts alerts={viewAlerts} now={now} />
          </LazyPart>
        )}
      </Collapsible>
      {children && (
        <Collapsible id="own-settings" title={messages.settings} open={!urgent}>
          {children}
        </Collapsible>
      )}
    </>
  );
}

function asSafeAlert({ uuid, device_name, name, time, blocked, certainty, site, answers }: GuardianView['alerts'][number]): SafeAlert {
  return { uuid, device_id: device_name, info: { name, last_time: time, blocked, certainty, site }, answers };
}

/**
 * A guardian's view has no device ids, so names replace them. Its alerts have a time, so `last_detection` is not used for devices with one.
 */
function asSafeDevice(device: GuardianView['devices'][number], alerts: SafeAlert[], moment: Date): SafeDevice {
  const hasRecentAlert = alerts.some((alert) => alert.device_id === device.name && isRecent(alert.info.last_time, moment));
  return { ...device, uuid: device.name, ...(hasRecentAlert && { last_detection: zero_time }) };
}
