import { limits } from '@porchlight/contract/limits.ts';
import { config } from '../../../lib/config.ts';
import { inWords } from '../../../lib/dates.ts';
import { pages } from '../../../lib/paths.ts';
import { useNow } from '../../../lib/use-now.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Qr } from '../../../ui/qr.tsx';
import { messages } from '../messages.ts';
import '../share.css';

/** `until`: expiry of the code (ISO 8601). */
export function Ways({ code, name, until }: { code: string; name: string; until?: string | undefined }) {
  const now = useNow();
  const url = `${config.host}${pages.share(code)}`;
  return (
    <>
      <section className="card">
        <h2 className="minor">{messages.open.heading}</h2>
        <div className="way-qr">
          <Qr text={url} label={messages.open.qr} />
          <div className="stack">
            <p>{messages.open.lead}</p>
            <div className="row">
              <CopyButton text={url} label={messages.copyShareLink} done={messages.copied} ms={limits.copied_on_share} />
              <CopyButton
                text={messages.sendText(name, url, code)}
                label={messages.copyMessage}
                done={messages.copied}
                ms={limits.copied_on_share}
              />
            </div>
          </div>
        </div>
      </section>
      <section className="card stack">
        <h2 className="minor">{messages.type.heading}</h2>
        <p className="code">{code}</p>
        <p className="soft">{until ? messages.type.until(inWords(new Date(until), now)) : messages.type.lead}</p>
        {config.development && (
          <details>
            <summary className="alone">{messages.source.heading}</summary>
            <p>{messages.source.lead}</p>
            <p>
              <code>npm run agent -- --code {code}</code>
            </p>
          </details>
        )}
      </section>
    </>
  );
}
