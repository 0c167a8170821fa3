import type { InstallerPlatform } from '@porchlight/contract/downloads.ts';
import { pages } from '../../lib/paths.ts';
import type { Platform } from '../../outside/platform.ts';
import { Loading } from '../../ui/loading.tsx';
import { SupportContacts } from '../../ui/support.tsx';
import { t } from './download-texts.ts';
import { useInstallers } from './use-installers.ts';
import { usePlatform } from './use-platform.ts';
import './downloads.css';

/** Both downloads, the one for this computer first (P3.5); with a code it stands in the file's name (9.12). */
export function DownloadButtons({ code, lead }: { code?: string; lead?: string }) {
  const installers = useInstallers();
  const platform = usePlatform();
  const of = platform ? installers : { ...installers, data: undefined };
  return (
    <Loading of={of} height={48}>
      {(items) => <Buttons items={items} first={installerFor(platform)} code={code} lead={lead} />}
    </Loading>
  );
}

/** The same as one of the ways to connect a device. */
export function DownloadCard({ code }: { code: string }) {
  return (
    <section className="card stack">
      <h2 className="minor">{t.card}</h2>
      <DownloadButtons code={code} lead={t.lead} />
    </section>
  );
}

interface ButtonsProps {
  items: InstallerPlatform[];
  /** The one for this computer. */
  first: InstallerPlatform | null;
  code?: string | undefined;
  /** What is good to know of the files; only where there are any. */
  lead?: string | undefined;
}

export function Buttons({ items, first, code, lead }: ButtonsProps) {
  const order: InstallerPlatform[] = first === 'macos' ? ['macos', 'windows'] : ['windows', 'macos'];
  if (items.length === 0) return <Missing words={t.none[first ?? 'all']} />;
  return (
    <div className="stack">
      {first && !items.includes(first) && <Missing words={t.none[first]} />}
      {lead && <p>{lead}</p>}
      <div className="row">
        {order
          .filter((platform) => items.includes(platform))
          .map((platform) => (
            <a key={platform} className={platform === first ? 'btn' : 'btn quiet'} href={pages.download(platform, code)}>
              {t.download[platform]}
            </a>
          ))}
      </div>
    </div>
  );
}

function Missing({ words }: { words: string }) {
  return (
    <p className="note look missing">
      {words} <SupportContacts />
    </p>
  );
}

/** Which installer is made for this computer; null: none. */
export function installerFor(platform: Platform | undefined): InstallerPlatform | null {
  if (platform?.kind === 'Windows') return 'windows';
  return platform?.kind === 'macOS' ? 'macos' : null;
}
