import type { GuardianView } from '@porchlight/contract/guardians.ts';
import { inWords } from '../../../lib/dates.ts';
import { type SafeAlert, safeSentence } from '../../../lib/safe-sentence.ts';
import { type Heard, useAsOf } from '../../../lib/use-as-of.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Lamp } from '../../../ui/lamp.tsx';
import { Silent } from '../../../ui/silent.tsx';
import { AlertRow } from './alert-row.tsx';
import { DeviceRow } from './device-row.tsx';
import { OnIt } from './on-it.tsx';
import { t } from './texts.ts';
import { WhatToDo } from './what-to-do.tsx';
import './guardian.css';

const kinds = { safe: 'state', empty: 'state', alert: 'state alert', look: 'state quiet' } as const;

/** How the person is, in the sentence that they read too; what to do; then the devices, then what happened (P5.2). `level`: of its first heading; `heard`: when it was last answered. */
export function Overview({ view, level = 1, heard }: { view: GuardianView; level?: 1 | 2; heard?: Heard }) {
  const now = useNow();
  const asOf = useAsOf(now, ...(heard ? [heard] : []));
  const Sentence = level === 1 ? 'h1' : 'h2';
  const { holder_name: holder, devices, alerts } = view;
  // A guardian is told the devices by their names.
  const named = devices.map((device) => ({ ...device, uuid: device.name }));
  const safe = safeSentence(named, alerts.map(asSafeAlert), now, asOf);
  const worst = alerts.find(({ uuid }) => uuid === safe.alert?.uuid);
  return (
    <>
      <section
        className={kinds[safe.mood === 'safe' && asOf.silent ? 'look' : safe.mood]}
        aria-live="polite"
        aria-label={t.lookOut(holder)}
      >
        <Lamp lit={safe.mood === 'safe' && !asOf.silent} size={88} />
        <div>
          <p className="soft">{t.lookOut(holder)}</p>
          <Silent asOf={asOf} now={now} />
          <Sentence>{safe.mood === 'empty' ? t.empty(holder) : safe.sentence}</Sentence>
          <p>{worst ? (worst.blocked ? t.more.blocked(holder) : t.more.notBlocked(holder)) : t.more[safe.mood](holder)}</p>
        </div>
      </section>
      {worst && (
        <>
          <OnIt alert={worst} big />
          <WhatToDo holder={holder} device={worst.device_name} devices={devices} />
        </>
      )}
      <section className="stack" aria-labelledby="own-devices">
        <h2 id="own-devices">{t.devices}</h2>
        {devices.length === 0 && <p>{t.noDevices}</p>}
        <ul className="stack">
          {devices.map((device) => (
            <DeviceRow key={device.name} device={device} now={now} moment={asOf.moment} />
          ))}
        </ul>
      </section>
      <section className="stack" aria-labelledby="own-alerts">
        <h2 id="own-alerts">{t.alerts}</h2>
        {alerts.length === 0 && <p>{t.none(holder)}</p>}
        <ul className="stack">
          {alerts.map((alert) => (
            <AlertRow key={alert.uuid} alert={alert} when={inWords(new Date(alert.time), now)} />
          ))}
        </ul>
      </section>
    </>
  );
}

function asSafeAlert({ uuid, device_name, name, time, blocked, certainty, site }: GuardianView['alerts'][number]): SafeAlert {
  return { uuid, device_id: device_name, info: { name, time, last_time: time, blocked, certainty, site } };
}
