import type { Device } from '@porchlight/contract/devices.ts';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { fourthLines, helpLines } from '../../lib/help-messages.ts';
import { paths } from '../../lib/paths.ts';
import { personAt } from '../../lib/person-messages.ts';
import { names } from '../../lib/safe-fact.ts';
import { QuietStatus, useForm } from '../../ui/form.tsx';
import { HelpLines } from '../../ui/help-lines.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Link } from '../../ui/link.tsx';
import { messages } from './holder-messages.ts';
import { useHelp } from './queries.ts';
import './emergency.css';

const words = messages.help;

type HelpDevice = Pick<Device, 'uuid' | 'name' | 'person'>;

interface NeedHelpProps {
  /** Those that are installed. Without any, the lines show, and nothing is sent. */
  devices: HelpDevice[];
  /** The first names of the guardians that our messages reach. */
  guardians: string[];
}

/** *I need help now* (P9.5): one press, without a confirmation; what to do shows at once, also without an answer. */
export function NeedHelp({ devices, guardians }: NeedHelpProps) {
  const [pressed, setPressed] = useState<{ device: HelpDevice | null } | null>(null);
  const [incident, setIncident] = useState<string | null>(null);
  const section = useRef<HTMLElement>(null);
  const form = useForm();
  const help = useHelp();
  const focusOn = (selector: string) => section.current?.querySelector<HTMLElement>(selector)?.focus();
  const send = (device: HelpDevice | null) => {
    flushSync(() => {
      setPressed({ device });
      setIncident(null);
    });
    focusOn('[tabindex="-1"]');
    if (device) {
      void form.run(async () => {
        setIncident(await help(device.uuid));
        return undefined;
      });
    }
  };
  const close = () => {
    flushSync(() => setPressed(null));
    focusOn('button');
  };
  if (!pressed) {
    return (
      <section ref={section} className="need-help stack" aria-label={words.button}>
        <div className="row">
          {devices.length > 1 ? (
            devices.map((device) => <HelpButton key={device.uuid} label={words.buttonAt(device.name)} press={() => send(device)} />)
          ) : (
            <HelpButton label={words.button} press={() => send(devices[0] ?? null)} />
          )}
        </div>
        <p className="soft small">{devices.length ? words.lead : words.leadAlone}</p>
      </section>
    );
  }
  const { device } = pressed;
  const [first] = guardians;
  const fourth = () => {
    if (form.error !== null) return fourthLines.failed(first);
    if (!device) return fourthLines.unsent(first);
    if (incident === null) return fourthLines.sending;
    return first ? fourthLines.reaching(names(guardians.map((name) => ({ name }))), first) : fourthLines.nobody;
  };
  return (
    <section ref={section} className="need-help need-help-lines stack-l" aria-labelledby="need-help">
      <div tabIndex={-1} role="status" className="stack-l">
        <h2 id="need-help">{words.heading}</h2>
        <HelpLines lines={helpLines(fourth(), device ? personAt(device) : undefined)} />
      </div>
      {form.error && <QuietStatus state={form} />}
      <div className="row">
        {incident && (
          <Link className="btn quiet" to={paths.incident(incident)}>
            {words.see}
          </Link>
        )}
        {form.error && (
          <button type="button" className="btn" onClick={() => send(device)}>
            {words.again}
          </button>
        )}
        <button type="button" className="btn quiet" onClick={close}>
          {words.close}
        </button>
      </div>
    </section>
  );
}

function HelpButton({ label, press }: { label: string; press: () => void }) {
  return (
    <button type="button" className="btn danger" onClick={press}>
      <Icon name="warning" />
      {label}
    </button>
  );
}
