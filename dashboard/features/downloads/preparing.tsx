import type { BuildProgress, InstallerBuild } from '@porchlight/contract/downloads.ts';
import { useState } from 'react';
import { messages } from './not-ready-messages.ts';
import './not-ready.css';

/** The steps while the server builds, then a sentence that the download is ready. `build`: undefined until known. */
export function Preparing({ build, ready }: { build: InstallerBuild | undefined; ready: boolean }) {
  const isBuilding = build?.state === 'building' && !ready;
  const [wasBuilding, setWasBuilding] = useState(isBuilding);
  if (isBuilding && !wasBuilding) setWasBuilding(true);
  return (
    <>
      {isBuilding && (
        <div className="note look stack">
          <p>
            <strong>{messages.preparing.heading}</strong>
          </p>
          <p>{messages.preparing.wait}</p>
          <Progress progress={build.progress} />
        </div>
      )}
      {ready && wasBuilding && <p>{messages.preparing.ready}</p>}
    </>
  );
}

function Progress({ progress }: { progress: BuildProgress | null }) {
  const { step, steps } = progress ?? { step: 0, steps: 1 };
  const words = progress ? messages.preparing.step(progress) : messages.preparing.starting;
  return (
    <>
      <div
        className="progress"
        role="progressbar"
        aria-label={messages.preparing.bar}
        aria-valuemin={0}
        aria-valuemax={steps}
        aria-valuenow={step}
        aria-valuetext={words}
      >
        <span style={{ width: `${(100 * step) / steps}%` }} />
      </div>
      <p>{words}</p>
    </>
  );
}
