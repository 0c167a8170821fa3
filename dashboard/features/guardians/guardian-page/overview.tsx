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

/** Folded away when it matters most: loaded after what matters. */
const Alerts = lazy(async () => ({ default: (await import('./alerts.tsx')).Alerts }));
/** Of one that is closed, with the space after it, in px. */
const alertHeight = 116;

interface OverviewProps {
  view: GuardianView;
  /** Of its first heading; 1 where it is a page of its own. */
  level?: 1 | 2;
  polled?: Polled;
  children?: ReactNode;
}

/** How the person is, in the sentence that they read too; what to do; then the devices, then what happened (P5.2). */
export function Overview({ view, level = 1, polled, children }: OverviewProps) {
  const now = useNow();
  const freshness = useFreshness(now, ...(polled ? [polled] : []));
  const { holder_name: holder, alerts: seen } = view;
  const alerts = seen.map(asSafeAlert);
  const devices = view.devices.map((device) => asSafeDevice(device, alerts, freshness.moment));
  const safe = safeSentence({ devices, alerts, now, freshness, holder, plan: view.plan });
  const urgent = safe.mood === 'danger' || safe.mood === 'stopped';
  const worst = seen.find(({ uuid }) => uuid === safe.alert?.uuid);
  useTitle(level === 1 ? `${safe.title} · ${messages.lookOut(holder)}` : undefined);
  const lines = urgent
    ? safe.lines.slice(0, 1)
    : [...safe.lines, ...(safe.mood === 'safe' && isReached(view) ? [messages.nothingToDo] : [])];
  return (
    <>
      <StatePanel
        safe={{ ...safe, lines }}
        freshness={freshness}
        now={now}
        level={level}
        label={messages.lookOut(holder)}
        lead={messages.lookOut(holder)}
      />
      {urgent && <Urgent safe={safe} alert={worst} holder={holder} />}
      <Collapsible id="own-devices" title={messages.devices} open={!urgent}>
        {devices.length === 0 && <p>{messages.noDevices}</p>}
        <ul className="stack">
          {devices.map((device) => (
            <DeviceRow key={device.name} device={device} alerts={alerts} now={now} moment={freshness.moment} />
          ))}
        </ul>
      </Collapsible>
      <Collapsible id="own-alerts" title={messages.alerts} open={!urgent}>
        {seen.length === 0 ? (
          <p>{messages.none(holder)}</p>
        ) : (
          <LazyPart height={seen.length * alertHeight}>
            <Alerts alerts={seen} now={now} />
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

/** A guardian is told the devices by their names. Of an alert they see when it began, so its device is not asked when it was last tried. */
function asSafeDevice(device: GuardianView['devices'][number], alerts: SafeAlert[], moment: Date): SafeDevice {
  const told = alerts.some((alert) => alert.device_id === device.name && isRecent(alert.info.last_time, moment));
  return { ...device, uuid: device.name, ...(told && { last_detection: zero_time }) };
}
