import type { emergencyLimits, GuardianEmergency } from '@porchlight/contract/emergency-stops.ts';
import { mayNotPressWords } from '@porchlight/contract/words/may-answer.ts';
import { useRef, useState } from 'react';
import { atTime } from '../../lib/dates.ts';
import { Icon } from '../../ui/icons.tsx';
import type { AnswerButtonPart } from './answer-button-part.ts';
import { messages } from './messages.ts';

/** Importing the value would load the schema library. */
const minutes: (typeof emergencyLimits)['isolation_minutes_max'] = 15;

type EmergencyDevice = GuardianEmergency['devices'][number];

interface CutInternetProps {
  /** The guardian's id. */
  id: string;
  devices: EmergencyDevice[];
  /** The press also stops everything. */
  stops: boolean;
  now: Date;
  Button: AnswerButtonPart;
  cut: (device: string, minutes: number) => Promise<void>;
}

/** *Cut the internet there* for each computer (P10.6). */
export function CutInternet({ devices, ...props }: CutInternetProps) {
  return (
    <section className="card stack" aria-labelledby="cut-internet">
      <h3 id="cut-internet">{messages.isolate.heading}</h3>
      <ul className="stack">
        {devices.map((device) => (
          <DeviceInternet key={device.uuid} device={device} several={devices.length > 1} {...props} />
        ))}
      </ul>
    </section>
  );
}

function DeviceInternet({
  device: { uuid, name, isolation, may_isolate },
  several,
  stops,
  now,
  id,
  Button,
  cut,
}: Omit<CutInternetProps, 'devices'> & { device: EmergencyDevice; several: boolean }) {
  const result = useRef<HTMLDivElement>(null);
  const [pressed, setPressed] = useState(false);
  const back = new Date(now.getTime() + minutes * 60_000);
  const done = () => {
    setPressed(true);
    result.current?.focus();
  };
  return (
    <li>
      <div ref={result} tabIndex={-1} role="status" className={isolation ? 'note look' : ''}>
        {isolation && !isolation.in_force && (
          <p className="in-force">
            <Icon name="warning" size={24} />
            <strong>{messages.isolate.lost(name)}</strong>
          </p>
        )}
        {isolation?.in_force && (
          <>
            <p className="in-force">
              <Icon name="wait" size={24} />
              <strong>{messages.isolate.done(pressed ? null : isolation.by, name)}</strong>
            </p>
            {isolation.put_back > 0 && <p>{messages.isolate.putBack(isolation.put_back)}</p>}
            <p>
              {messages.isolate.until(atTime(new Date(isolation.until), now))} {isolation.may_end && messages.isolate.mayEnd}
            </p>
          </>
        )}
      </div>
      {!isolation && may_isolate.may === 'no' && <p className="soft small">{mayNotPressWords(may_isolate, (time) => atTime(time, now))}</p>}
      {!isolation && may_isolate.may === 'yes' && (
        <div>
          <Button
            id={id}
            label={several ? messages.isolate.buttonAt(minutes, name) : messages.isolate.button(minutes)}
            kind="danger"
            ask={messages.isolate.ask(minutes, name, atTime(back, now), stops)}
            answer={() => cut(uuid, minutes)}
            done={done}
          />
        </div>
      )}
    </li>
  );
}
