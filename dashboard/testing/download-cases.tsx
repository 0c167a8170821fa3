import type { InstallerBuild } from '@porchlight/contract/downloads.ts';
import { useState } from 'react';
import { Preparing } from '../features/downloads/preparing.tsx';

const builds: Record<string, InstallerBuild> = {
  Begin: { state: 'building', progress: null },
  Step: { state: 'building', progress: { step: 3, steps: 8, platform: 'macos' } },
  'Last step': { state: 'building', progress: { step: 8, steps: 8, platform: null } },
  End: { state: 'idle' },
};

function PreparingCase() {
  const [build, setBuild] = useState<InstallerBuild>({ state: 'idle' });
  const [ready, setReady] = useState(false);
  return (
    <>
      <div aria-live="polite">
        <Preparing build={build} ready={ready} />
      </div>
      {Object.entries(builds).map(([name, next]) => (
        <button
          key={name}
          type="button"
          onClick={() => {
            setBuild(next);
            setReady(name === 'End');
          }}
        >
          {name}
        </button>
      ))}
    </>
  );
}

export const downloadCases = { preparing: PreparingCase };
