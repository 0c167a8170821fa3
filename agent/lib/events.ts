export interface EventHub<Name extends string> {
  on(name: Name, listener: () => void): void;
  emit(name: Name): void;
}

export function eventHub<Name extends string>(): EventHub<Name> {
  const listeners = new Map<Name, (() => void)[]>();
  return {
    on: (name, listener) => void listeners.set(name, [...(listeners.get(name) ?? []), listener]),
    emit(name) {
      for (const listener of listeners.get(name) ?? []) listener();
    },
  };
}

export function collected<T>() {
  const sources: (() => T[])[] = [];
  return { add: (source: () => T[]) => void sources.push(source), all: () => sources.flatMap((source) => source()) };
}
