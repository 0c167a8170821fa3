import { messages } from './download-messages.ts';
import { installerFor } from './rules.ts';
import { useAgentHere } from './use-agent-here.ts';
import { useInstallers } from './use-installers.ts';
import { usePlatform } from './use-platform.ts';

/** Says that this computer cannot be protected, where that is so (2.71, 8.19, 9.11): nobody makes an installer for it, and no agent runs on it. */
export function CompatibilityWarning() {
  const platform = usePlatform();
  return platform && !platform.supported && <Unless linux={installerFor(platform) === 'linux'} description={platform.description} />;
}

function Unless({ linux, description }: { linux: boolean; description: string }) {
  const agent = useAgentHere();
  const installers = useInstallers();
  const known = !linux || installers.data !== undefined || installers.error !== null;
  if (agent !== false || !known || (linux && installers.data?.includes('linux'))) return null;
  return (
    <p className="note look" role="status">
      {messages.compatibility(description)}
    </p>
  );
}
