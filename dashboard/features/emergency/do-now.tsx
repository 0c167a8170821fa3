import type { GuardianEmergency } from '@porchlight/contract/emergency-stops.ts';
import type { GuardianView } from '@porchlight/contract/guardians.ts';
import { call } from '../../lib/call.ts';
import { personAt } from '../../lib/person-messages.ts';
import { useNow } from '../../lib/use-now.ts';
import { usePolled } from '../../lib/use-polled.ts';
import { Loading } from '../../ui/loading.tsx';
import type { AnswerButtonPart } from './answer-button-part.ts';
import { CutInternet } from './cut-internet.tsx';
import { OpenCode } from './open-code.tsx';
import { StopThis } from './stop-this.tsx';
import './emergency.css';

const pollMs = 10_000;

interface DoNowProps {
  /** The guardian's id. */
  id: string;
  view: GuardianView;
  /** The link was about *Stop this*: its confirmation opens without a press, and nothing else happens. */
  stopAsked: boolean;
  Button: AnswerButtonPart;
  reload: () => Promise<void>;
}

/** *Do something now* of a guardian's page: stop everything, cut the internet, open a code (P10.6, P10.7). */
export function DoNow({ id, view, stopAsked, Button, reload }: DoNowProps) {
  const params = { id };
  const emergency = usePolled(() => call('GET /guardian/:id/emergency', { params }), pollMs);
  const now = useNow();
  const holder = view.holder_name;
  const stop = async (body: { minutes_offline?: number; device?: string }) => {
    await emergency.show(await call('POST /guardian/:id/stop', { params, body }));
    // The incident that it opens appears on the rest of the page.
    void reload();
  };
  const userAt = (name: string) => personAt(view.devices.find((device) => device.name === name) ?? { name }, holder).again;
  return (
    <Loading of={emergency} height={320}>
      {(data: GuardianEmergency) => (
        <div className="stack">
          <StopThis emergency={data} holder={holder} now={now} asked={stopAsked} id={id} Button={Button} stop={() => stop({})} />
          {/* A guardian who may not stop anything cannot cut the internet either, for the same reason. */}
          {data.devices.some(({ isolation }) => isolation ?? data.may_stop.may === 'yes') && (
            <CutInternet
              devices={data.devices}
              stops={data.emergency_stop === null}
              now={now}
              id={id}
              Button={Button}
              cut={(device, minutes_offline) => stop({ device, minutes_offline })}
            />
          )}
          {data.devices.length > 0 && (
            <OpenCode
              devices={data.devices}
              holder={holder}
              userAt={userAt}
              now={now}
              id={id}
              Button={Button}
              open={(body) => call('POST /guardian/:id/codes', { params, body })}
            />
          )}
        </div>
      )}
    </Loading>
  );
}
