import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { type Loadable, Loading } from '../ui/loading.tsx';

export interface Screen {
  (): ReactNode;
  /** Loads the code early. A failure is ignored here, because showing the screen meets it again. */
  fetch(): void;
}

/** Not `React.lazy`: React keeps a placeholder for at least 300 ms, however early the code arrives. */
export function lazyScreen<N extends string>(
  from: () => Promise<Record<N, ComponentType>>,
  name: N,
  unpainted: () => boolean = () => false,
): Screen {
  let ready: ComponentType | undefined;
  const fetch = async () => {
    ready = (await from())[name];
  };
  function Loaded() {
    const [Found, show] = useState(() => ready);
    const [error, fail] = useState<Error>();
    useEffect(() => {
      if (!Found) fetch().then(() => show(() => ready), fail);
    }, [Found]);
    if (error) throw error;
    return Found ? <Found /> : <Waiting unpainted={unpainted()} />;
  }
  Loaded.fetch = () => void fetch().catch(() => {});
  return Loaded;
}

interface WaitingProps {
  of?: Loadable<unknown>;
  /** The heading above the error. */
  heading?: string;
  /** Hidden while a banner may still appear above and push it down. */
  unpainted?: boolean;
}

/** Holds the place of a screen that is loading, or shows why it does not load. */
export function Waiting({ of = { data: undefined, error: null }, heading, unpainted = false }: WaitingProps) {
  return (
    <div className={unpainted ? 'wrap unpainted' : 'wrap'}>
      <Loading of={of} height={400} heading={heading}>
        {() => null}
      </Loading>
    </div>
  );
}
