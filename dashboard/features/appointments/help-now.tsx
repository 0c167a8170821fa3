import { appointmentLimits } from '@porchlight/contract/appointment-limits.ts';
import type { AppointmentChoice, AppointmentMinutes } from '@porchlight/contract/appointments.ts';
import type { MayAnswer } from '@porchlight/contract/may-answer.ts';
import { type ComponentType, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { call } from '../../lib/call.ts';
import { mayNotWords } from '../../lib/may-words.ts';
import { usePolled } from '../../lib/use-polled.ts';
import { Loading } from '../../ui/loading.tsx';
import { Select } from '../../ui/select.tsx';
import { type AppointmentCalls, appointmentCalls } from './calls.ts';
import { messages } from './messages.ts';

/** Asks for the proof, and opens; another feature's. `id`: the guardian's, empty for the holder. */
export type ProofButton = ComponentType<{
  id: string;
  label: string;
  may: MayAnswer;
  ask: null;
  answer: (code?: string) => Promise<unknown>;
  done: () => void;
}>;

interface HelpNowProps {
  /** The guardian's id; null: the holder. */
  guardian: string | null;
  /** Only on this computer. */
  device?: string;
  Button: ProofButton;
}

/** *I'm helping now*: two presses and a proof (P15.1). */
export function HelpNow({ guardian, device, Button }: HelpNowProps) {
  const [calls] = useState(() => appointmentCalls(guardian));
  const [state, setState] = useState<'closed' | 'open' | 'done'>('closed');
  const { data } = usePolled(calls.list, devicesPoll);
  const section = useRef<HTMLElement>(null);
  const devices = (data?.devices ?? []).filter(({ uuid }) => device === undefined || uuid === device);
  const close = (next: typeof state, selector: string) => {
    flushSync(() => setState(next));
    section.current?.querySelector<HTMLElement>(selector)?.focus();
  };
  if (!devices.length) return null;
  return (
    <section ref={section} className="card stack" aria-labelledby="help-now">
      <h3 id="help-now">{messages.start}</h3>
      {state === 'open' ? (
        <Choice
          {...{ guardian, calls, devices, Button }}
          cancel={() => close('closed', 'button')}
          done={() => close('done', '[role=status]')}
        />
      ) : (
        <>
          <p role="status" tabIndex={-1}>
            {state === 'done' ? messages.done : messages.lead}
          </p>
          <button type="button" className="btn quiet" onClick={() => setState('open')}>
            {messages.start}
          </button>
        </>
      )}
    </section>
  );
}

interface ChoiceProps extends Omit<HelpNowProps, 'device'> {
  calls: AppointmentCalls;
  devices: { uuid: string; name: string }[];
  cancel: () => void;
  done: () => void;
}

/** Computers are added rarely. */
const devicesPoll = 600_000;
/** The first field takes the focus once it is here. */
const focusOnFirst = (place: HTMLElement | null) => place?.querySelector('select')?.focus();

/** The one most people help with. */
const usual = 'teamviewer';

function Choice({ devices, ...props }: ChoiceProps) {
  const [device, setDevice] = useState(devices[0]?.uuid ?? '');
  const programs = usePolled(() => call('GET /definitions/allowlistable.json'), 3_600_000);
  return (
    <Loading of={programs} height={320}>
      {(all) => (
        <div className="stack" ref={focusOnFirst}>
          {devices.length > 1 && (
            <Select
              label={messages.computer}
              options={devices.map(({ uuid, name }) => ({ value: uuid, text: name }))}
              value={device}
              onChange={setDevice}
            />
          )}
          {/* Another computer has its own limits. */}
          <AtDevice
            key={device}
            programs={all.filter(({ category }) => category === 'RemoteControl')}
            device={device}
            isFirst={devices.length === 1}
            {...props}
          />
        </div>
      )}
    </Loading>
  );
}

interface AtDeviceProps extends Omit<ChoiceProps, 'devices'> {
  device: string;
  /** There is no field before. */
  isFirst: boolean;
  programs: { identifier: string; name: string }[];
}

function AtDevice({ guardian, calls, device, isFirst, programs, Button, cancel, done }: AtDeviceProps) {
  const [choice, setChoice] = useState<AppointmentChoice | 'failed' | null>(null);
  const [program, setProgram] = useState(programs.some(({ identifier }) => identifier === usual) ? usual : (programs[0]?.identifier ?? ''));
  const [minutes, setMinutes] = useState<AppointmentMinutes>(60);
  const [money_pages, setMoney] = useState(false);
  useEffect(() => {
    calls.choice(device).then(setChoice, () => setChoice('failed'));
  }, [calls, device]);
  if (choice === null) return <div className="skeleton" style={{ height: 260 }} />;
  const mayAsk = guardian === null;
  const refusal = refusalOf(choice, mayAsk);
  if (refusal !== null || choice === 'failed')
    return (
      <>
        <p>{refusal}</p>
        <Cancel press={cancel} />
      </>
    );
  // A holder may ask for more than is free.
  const offered = appointmentLimits.minutes.filter(
    (one) => one <= (mayAsk ? choice.minutes_max : Math.min(choice.minutes_max, choice.minutes_free)),
  );
  const length = offered.includes(minutes) ? minutes : (offered.at(-1) ?? minutes);
  const body = { device, identifier: program, minutes: length, money_pages };
  return (
    <div className="stack" ref={isFirst ? focusOnFirst : undefined}>
      <Select
        label={messages.program}
        options={programs.map(({ identifier, name }) => ({ value: identifier, text: name }))}
        value={program}
        onChange={setProgram}
      />
      <fieldset className="plain">
        <legend className="label">{messages.minutes}</legend>
        {offered.map((one) => (
          <label key={one} className="choice">
            <input type="radio" name="help-minutes" checked={one === length} onChange={() => setMinutes(one)} />
            <span>{messages.length(one)}</span>
          </label>
        ))}
      </fieldset>
      {choice.offers_money ? (
        <label className="check">
          <input type="checkbox" checked={money_pages} onChange={(event) => setMoney(event.target.checked)} />
          <span>{messages.money}</span>
        </label>
      ) : (
        <p>{messages.inIncident}</p>
      )}
      <p className="soft">{length > choice.minutes_free ? messages.spent : messages.notify}</p>
      <div className="row">
        <Button
          id={guardian ?? ''}
          label={messages.start}
          may={choice.may}
          ask={null}
          answer={(code) => calls.open({ ...body, ...(code === undefined ? {} : { code }) })}
          done={done}
        />
        <Cancel press={cancel} />
      </div>
    </div>
  );
}

/** `mayAsk`: the holder's third waits for a yes; a guardian's is refused. */
function refusalOf(choice: AppointmentChoice | 'failed', mayAsk: boolean): string | null {
  if (choice === 'failed') return messages.failed;
  if (choice.may.may === 'no') {
    const { reason } = choice.may;
    if (reason === 'stopped' || reason === 'first_day') return mayNotWords(choice.may, new Date());
    if (reason === 'own_computer') return messages.notYet;
  }
  return choice.minutes_free < Math.min(...appointmentLimits.minutes) && !mayAsk ? messages.spent : null;
}

const Cancel = ({ press }: { press: () => void }) => (
  <button type="button" className="btn quiet" onClick={press}>
    {messages.cancel}
  </button>
);
