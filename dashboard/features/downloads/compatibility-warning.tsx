import type { ReactNode } from 'react';
import { useEffect, useState } from 'react';
import { answersHere } from '../../integrations/local-agent.ts';
import { Loading } from '../../ui/loading.tsx';
import { messages } from './download-messages.ts';
import { installerFor } from './offer-rules.ts';
import { useInstallers } from './use-installers.ts';
import { usePlatform } from './use-platform.ts';

/** Whether an agent runs on this computer; undefined until known. */
function useAgentHere(): boolean | undefined {
  const [here, setHere] = useState<boolean>();
  useEffect(() => {
    void answersHere().then(setHere);
  }, []);
  return here;
}

/** Shown if there is no agent for this computer (2.71, 8.19, 9.11). */
export function CompatibilityWarning() {
  const platform = usePlatform();
  return platform && !platform.supported && <Unless linux={installerFor(platform) === 'linux'} description={platform.description} />;
}

/** Reserves `height` px for the warning, so that it does not push the page down. */
export function BelowCompatibilityWarning({ height, children }: { height: number; children: ReactNode }) {
  const platform = usePlatform();
  if (!platform) return <Loading of={{ data: undefined, error: null }} height={height} />;
  if (platform.supported) return children;
  return (
    <Unless linux={installerFor(platform) === 'linux'} description={platform.description} height={height}>
      {children}
    </Unless>
  );
}

interface UnlessProps {
  linux: boolean;
  description: string;
  height?: number;
  children?: ReactNode;
}

function Unless({ linux, description, height, children }: UnlessProps) {
  const agent = useAgentHere();
  const installers = useInstallers();
  const known = agent !== undefined && (!linux || installers.data !== undefined || installers.error !== null);
  if (!known) return height !== undefined && <Loading of={{ data: undefined, error: null }} height={height} />;
  if (agent || (linux && installers.data?.platforms.includes('linux'))) return children;
  return (
    <>
      <p className="note look" role="status">
        {messages.compatibility(description)}
      </p>
      {children}
    </>
  );
}
