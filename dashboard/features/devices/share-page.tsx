import { readDeviceCode } from '@porchlight/contract/codes.ts';
import type { DeviceCodeResult } from '@porchlight/contract/devices.ts';
import { limits } from '@porchlight/contract/limits.ts';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { deepLink, handOver } from '../../integrations/local-agent.ts';
import { call } from '../../lib/call.ts';
import { inWords } from '../../lib/dates.ts';
import { HttpError } from '../../lib/http.ts';
import { pages } from '../../lib/paths.ts';
import { useNow } from '../../lib/use-now.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { optional } from '../../ui/optional.tsx';
import { PlainFrame } from '../../ui/plain-frame.tsx';
import { Qr } from '../../ui/qr.tsx';
import { messages } from './share-messages.ts';
import './share.css';

const AskForCode = optional(async () => (await import('./expired-link.tsx')).AskForCode);

interface Result {
  data: DeviceCodeResult | undefined;
  error: unknown;
}
const nothingYet: Result = { data: undefined, error: null };

/** For the recipient of the link: no login, no price, one code (2.72, P3.5). */
export function SharePage({ code, downloads }: { code: string; downloads?: (code: string) => ReactNode }) {
  const [result, setResult] = useState<Result>(nothingYet);
  const loadCode = useCallback(() => {
    call('POST /code', { body: { code } }).then(
      // Sign-up codes belong to the register page.
      (data) => ('link_uri' in data ? setResult({ data, error: null }) : window.location.replace(pages.registerWith(code))),
      (error: unknown) => setResult({ data: undefined, error }),
    );
  }, [code]);
  useEffect(loadCode, [loadCode]);
  const retry = () => {
    setResult(nothingYet);
    loadCode();
  };
  const deadCodeMessage =
    result.error instanceof HttpError ? messages.dead[neverACode(result.error) ? 'code_unknown' : (result.error.code ?? '')] : undefined;
  return (
    <PlainFrame>
      {result.error instanceof HttpError && result.error.code === 'code_expired' ? (
        <Expired code={code} holder={result.error.part('from_name') ?? ''} />
      ) : deadCodeMessage ? (
        <>
          <h1>{deadCodeMessage[0]}</h1>
          <p>{deadCodeMessage[1]}</p>
        </>
      ) : (
        <Loading of={{ ...result, refetch: retry }} height={400}>
          {(data) => <Live code={readDeviceCode(code) ?? code} data={data} downloads={downloads} />}
        </Loading>
      )}
    </PlainFrame>
  );
}

/** `holder`: the holder's first name; empty if unknown. */
function Expired({ code, holder }: { code: string; holder: string }) {
  return (
    <>
      <h1>{messages.expired.heading}</h1>
      <p>{messages.expired.lead(holder || messages.expired.someone)}</p>
      <AskForCode code={code} holder={holder} />
    </>
  );
}

const neverACode = (error: HttpError) => error.status === 422;

type LiveProps = { code: string; data: DeviceCodeResult; downloads: ((code: string) => ReactNode) | undefined };

function Live({ code, data, downloads }: LiveProps) {
  const link = window.location.origin + window.location.pathname;
  const now = useNow();
  return (
    <>
      <h1>{messages.from(data.from_name)}</h1>
      <p>{messages.lead(data.device_name)}</p>
      <section className="card stack">
        <h2>{messages.steps}</h2>
        <ol className="stack numbered">
          <li>
            {messages.one}
            {downloads && <div className="no-print">{downloads(code)}</div>}
          </li>
          <li>{messages.two}</li>
          <li>
            {messages.three}
            <p className="code">{code}</p>
          </li>
        </ol>
        <p className="soft">{messages.until(inWords(new Date(data.expires), now))}</p>
        <div className="row no-print">
          <CopyButton text={code} label={messages.copyCode} done={messages.copied} ms={limits.copied_on_share} />
          <CopyButton text={link} label={messages.copyLink} done={messages.copied} ms={limits.copied_on_share} />
          <button type="button" className="btn quiet" onClick={() => window.print()}>
            {messages.print}
          </button>
        </div>
      </section>
      <div className="way-qr">
        <Qr text={link} label={messages.qr} />
        <ConnectHere data={data} />
      </div>
      <p className="soft link">{link}</p>
      <p className="note look">{messages.notCalled}</p>
    </>
  );
}

function ConnectHere({ data }: { data: DeviceCodeResult }) {
  const [state, setState] = useState<{ at: 'idle' | 'busy' | 'done' } | { problem: string }>({ at: 'idle' });
  const connect = async () => {
    setState({ at: 'busy' });
    const answer = await handOver({ uri: data.link_uri, signature: data.link_uri_signature });
    setState(
      answer === 'taken'
        ? { at: 'done' }
        : { problem: answer === 'pin_needed' || answer === 'asked' || answer === 'declined' ? messages[answer] : messages.notThere },
    );
  };
  const progress = 'at' in state ? state.at : 'idle';
  return (
    <div className="stack no-print" aria-live="polite">
      {progress === 'done' ? (
        <p className="note good">{messages.connected}</p>
      ) : (
        <>
          <p>{messages.onThis}</p>
          <button type="button" className="btn" disabled={progress === 'busy'} onClick={() => void connect()}>
            {progress === 'busy' ? messages.connecting : messages.connect}
          </button>
          {'problem' in state && <p className="note look">{state.problem}</p>}
          {'problem' in state && state.problem === messages.notThere && (
            <p>
              {messages.installed} <a href={deepLink({ uri: data.link_uri, signature: data.link_uri_signature })}>{messages.open}</a>
            </p>
          )}
        </>
      )}
    </div>
  );
}
