import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { type Loadable, Loading } from '../ui/loading.tsx';

/** A screen whose code comes when it is first needed. */
export interface Screen {
  (): ReactNode;
  /** Has the code come ahead of the first showing; what goes wrong with it is met again there. */
  fetch(): void;
}

/** Not `React.lazy`: after a placeholder React holds back what takes its place until 300 ms have passed, however early the code is there. */
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
  /** Stands above the words where it could not be loaded. */
  heading?: string;
  /** Something may still come above it, which must not push what people already look at. */
  unpainted?: boolean;
}

/** Keeps the place of a screen, or says what it waits for in vain. */
export function Waiting({ of = { data: undefined, error: null }, heading, unpainted = false }: WaitingProps) {
  return (
    <div className={unpainted ? 'wrap unpainted' : 'wrap'}>
      <Loading of={of} height={400} heading={heading}>
        {() => null}
      </Loading>
    </div>
  );
}
