import type { BuildProgress, InstallerBuild } from '@porchlight/contract/downloads.ts';
import { useEffect, useState } from 'react';
import { messages } from './download-messages.ts';
import './downloads.css';

/**
 * Stays on the page while the server builds and after that, so that a screen reader announces the steps and the end. `build`: undefined until known.
 */
export function Preparing({ build, ready }: { build: InstallerBuild | undefined; ready: boolean }) {
  const isBuilding = build?.state === 'building' && !ready;
  const [wasBuilding, setWasBuilding] = useState(false);
  useEffect(() => {
    if (isBuilding) setWasBuilding(true);
  }, [isBuilding]);
  return (
    <div aria-live="polite">
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
    </div>
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
