import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { type Loadable, Loading } from '../ui/loading.tsx';
import { optional } from '../ui/optional.tsx';

export interface Screen {
  (): ReactNode;
  /** Preloads the code. Failures are ignored, because the screen itself will show them. */
  fetch(): void;
  /** Resolves once the code is here: the screen then renders without a placeholder. */
  load(): Promise<void>;
}

/** Not `React.lazy`: React shows a placeholder for at least 300 ms, however early the code arrives. */
export function lazyScreen<N extends string>(
  load: () => Promise<Record<N, ComponentType>>,
  name: N,
  unpainted: () => boolean = () => false,
): Screen {
  let loadedComponent: ComponentType | undefined;
  const loadCode = async () => {
    loadedComponent = (await load())[name];
  };
  function Loaded() {
    const [Found, show] = useState(() => loadedComponent);
    const [loadError, setLoadError] = useState<Error>();
    useEffect(() => {
      if (!Found) loadCode().then(() => show(() => loadedComponent), setLoadError);
    }, [Found]);
    if (loadError) throw loadError;
    return Found ? <Found /> : <Waiting unpainted={unpainted()} />;
  }
  Loaded.fetch = () => void loadCode().catch(() => {});
  Loaded.load = loadCode;
  return Loaded;
}

interface WaitingProps {
  of?: Loadable<unknown>;
  heading?: string;
  /** The placeholder is hidden while a banner may still appear above and push it down. */
  unpainted?: boolean;
}

export function Waiting({ of = { data: undefined, error: null }, heading, unpainted = false }: WaitingProps) {
  return (
    <div className={unpainted ? 'wrap unpainted' : 'wrap'}>
      <Loading of={of} height={400} heading={heading}>
        {() => null}
      </Loading>
    </div>
  );
}

// Parts of the holder's pages that are loaded after the page, which goes on without them. They are here so that no page loads one more file for them.
/** What waits for an answer (P15.8). */
export const WaitingRequests = optional(async () => (await import('../features/holding/waiting-cards.tsx')).WaitingRequests);
/** Who helps where (P15.1). */
export const Helping = optional(async () => (await import('../features/appointments/helping.tsx')).Helping);
