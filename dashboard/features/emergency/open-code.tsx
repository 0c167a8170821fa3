import type { GuardianEmergency } from '@porchlight/contract/emergency-stops.ts';
import type { CodePurpose, ShownCode } from '@porchlight/contract/one-time-codes.ts';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Select } from '../../ui/select.tsx';
import type { AnswerButtonPart } from './answer-button-part.ts';
import { messages } from './messages.ts';
import { OpenedCode } from './opened-code.tsx';

const words = messages.code;
const purposes: CodePurpose[] = ['pause', 'uninstall', 'allow', 'link'];

interface OpenCodeProps {
  /** The guardian's id. */
  id: string;
  devices: GuardianEmergency['devices'];
  holder: string;
  /** What the reader calls the user of a device. */
  userAt: (device: string) => string;
  now: Date;
  Button: AnswerButtonPart;
  open: (code: { device: string; purpose: CodePurpose; identifier?: string; code?: string }) => Promise<ShownCode>;
}

/** A one-time code (P10.7). It is only in this component's state, and gone when closed. */
export function OpenCode({ id, devices, holder, userAt, now, Button, open }: OpenCodeProps) {
  const [choosing, setChoosing] = useState(false);
  const [shown, setShown] = useState<ShownCode | null>(null);
  const section = useRef<HTMLElement>(null);
  const focusOn = (selector: string) => section.current?.querySelector<HTMLElement>(selector)?.focus();
  const close = () => {
    flushSync(() => {
      setShown(null);
      setChoosing(false);
    });
    focusOn('button');
  };
  const start = () => {
    flushSync(() => setChoosing(true));
    focusOn('input');
  };
  return (
    <section ref={section} className="card stack" aria-labelledby="open-code">
      <h3 id="open-code">{words.heading}</h3>
      {shown ? (
        <OpenedCode shown={shown} user={userAt(shown.device_name)} holder={holder} now={now} close={close} />
      ) : choosing ? (
        <Choice
          devices={devices}
          holder={holder}
          id={id}
          Button={Button}
          cancel={close}
          open={async (body) => setShown(await open(body))}
          done={() => focusOn('[role=status]')}
        />
      ) : (
        <>
          <p className="soft">{words.lead(devices.length === 1 ? userAt(devices[0]?.name ?? '') : holder)}</p>
          <button type="button" className="btn quiet" onClick={start}>
            {words.open}
          </button>
        </>
      )}
    </section>
  );
}

interface ChoiceProps extends Pick<OpenCodeProps, 'id' | 'devices' | 'holder' | 'Button'> {
  open: (code: Parameters<OpenCodeProps['open']>[0]) => Promise<void>;
  done: () => void;
  cancel: () => void;
}

/** Asks for the computer, the purpose and the program, as far as there is a choice. */
function Choice({ id, devices, holder, Button, open, done, cancel }: ChoiceProps) {
  const [device, setDevice] = useState(devices[0]?.uuid ?? '');
  const [purpose, setPurpose] = useState<CodePurpose>('pause');
  const [program, setProgram] = useState('');
  const chosenDevice = devices.find(({ uuid }) => uuid === device) ?? devices[0];
  if (!chosenDevice) return null;
  const { programs, may_code } = chosenDevice;
  const offered = purposes.filter((one) => one !== 'allow' || programs.length > 0);
  // Another computer may offer less.
  const chosenPurpose = offered.includes(purpose) ? purpose : 'pause';
  const chosenProgram = programs.find(({ identifier }) => identifier === program) ?? programs[0];
  const body = {
    device: chosenDevice.uuid,
    purpose: chosenPurpose,
    ...(chosenPurpose === 'allow' && chosenProgram ? { identifier: chosenProgram.identifier } : {}),
  };
  return (
    <div className="stack">
      {devices.length > 1 && (
        <Radios
          name="device"
          label={words.computer}
          options={devices.map(({ uuid, name }) => ({ value: uuid, text: name }))}
          value={chosenDevice.uuid}
          choose={setDevice}
        />
      )}
      <Radios
        name="purpose"
        label={words.purpose}
        options={offered.map((value) => ({ value, text: words.purposes[value] }))}
        value={chosenPurpose}
        choose={setPurpose}
      />
      {programs.length === 0 && <p className="soft small">{words.noPrograms}</p>}
      {chosenPurpose === 'allow' && (
        <Select
          label={words.program}
          options={programs.map(({ identifier, name }) => ({ value: identifier, text: name }))}
          value={chosenProgram?.identifier ?? ''}
          onChange={setProgram}
        />
      )}
      <p>{words.notify(holder)}</p>
      <div className="row">
        <Button
          id={id}
          label={words.show}
          may={may_code}
          ask={null}
          answer={(code) => open({ ...body, ...(code === undefined ? {} : { code }) })}
          done={done}
        />
        <button type="button" className="btn quiet" onClick={cancel}>
          {words.cancel}
        </button>
      </div>
    </div>
  );
}

interface RadiosProps<V extends string> {
  name: string;
  label: string;
  options: { value: V; text: string }[];
  value: V;
  choose: (value: V) => void;
}

function Radios<V extends string>({ name, label, options, value: chosen, choose }: RadiosProps<V>) {
  return (
    <fieldset className="plain">
      <legend className="label">{label}</legend>
      {options.map(({ value, text }) => (
        <label key={value} className="choice">
          <input type="radio" name={name} checked={value === chosen} onChange={() => choose(value)} />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}
