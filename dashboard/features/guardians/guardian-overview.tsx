import type { GuardianView } from '@porchlight/contract/guardians.ts';
import { inWords } from '../../lib/dates.ts';
import { useNow } from '../../lib/use-now.ts';
import { Icon } from '../../ui/icons.tsx';
import { Lamp } from '../../ui/lamp.tsx';
import { PartsList } from '../../ui/parts-list.tsx';
import { t } from './guardian-texts.ts';

const day = 24 * 3_600_000;
type Alert = GuardianView['alerts'][number];

const title = ({ blocked, certainty, name, device_name }: Alert) =>
  (blocked ? t.alert : t.notBlocked)(certainty === 'likely' ? t.looksLike(name) : name, device_name);

/** How the person is, in one sentence; then the devices, then what happened (P5.2). */
export function GuardianOverview({ view }: { view: GuardianView }) {
  const now = useNow();
  const { holder_name: holder, devices, alerts } = view;
  const recent = alerts.filter((a) => now.getTime() - new Date(a.time).getTime() < day);
  const worst = recent.find((a) => !a.blocked) ?? recent[0];
  return (
    <>
      <div>
        <p className="soft">{t.lookOut(holder)}</p>
        <h1>{worst ? title(worst) : devices.length ? t.safe(holder) : t.noDevices(holder)}</h1>
      </div>
      <section className={worst ? 'state alert' : 'state'} aria-live="polite" aria-label={t.lookOut(holder)}>
        <Lamp lit={!worst && devices.length > 0} size={88} />
        <p>{worst ? t.alertMore(holder, inWords(new Date(worst.time), now)) : t.safeMore}</p>
      </section>
      {worst && (
        <section className="card">
          <h2>{t.sayHeading}</h2>
          <p>{t.say}</p>
        </section>
      )}
      <section className="stack">
        <h2>{t.devices}</h2>
        <ul className="stack">
          {devices.map((device) => (
            <li className="card row" key={device.name}>
              <Icon name="laptop" size={32} />
              <span>
                <strong>{device.name}</strong>
                <br />
                <span className="soft">{device.last_seen ? t.lastSeen(inWords(new Date(device.last_seen), now)) : t.never}</span>
              </span>
            </li>
          ))}
        </ul>
      </section>
      <section className="stack">
        <h2>{t.alerts}</h2>
        {alerts.length === 0 && <p>{t.none}</p>}
        {alerts.map((alert) => (
          <details className="card alert-row" key={alert.uuid} name="alerts">
            <summary>
              <span>
                <strong>{title(alert)}</strong>
                <br />
                <span className="soft">{inWords(new Date(alert.time), now)}</span>
              </span>
              <Icon name="down" className="turn" />
            </summary>
            <div className="body">
              <PartsList
                parts={[
                  [t.parts.happened, alert.parts.what_happened],
                  [t.parts.did, alert.parts.what_we_did],
                  [t.parts.over, alert.parts.is_it_over],
                  [t.parts.now, alert.parts.what_to_do],
                ]}
              />
            </div>
          </details>
        ))}
      </section>
      <p className="soft small">{t.private(holder)}</p>
    </>
  );
}
