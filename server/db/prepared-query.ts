import type { Compilable, CompiledQuery } from 'kysely';
import type { Db } from './open.ts';

/** A place for a value in a statement that was built without values. */
class Place {
  readonly name: string | symbol;
  constructor(name: string | symbol) {
    this.name = name;
  }
}

/**
 * A statement of a frequent call, which is built once: building it takes longer than sending it. `build` gets a place for each value, so it must
 * neither read nor compare them, and a list cannot be a value.
 */
export function preparedQuery<V extends object, R>(db: Db, build: (values: V) => Compilable<R>): (values: V) => Promise<R[]> {
  let built: CompiledQuery<R> | null = null;
  return async (values) => {
    built ??= build(new Proxy({}, { get: (_, name) => new Place(name) }) as V).compile();
    const parameters = built.parameters.map((value) => (value instanceof Place ? values[value.name as keyof V] : value));
    return (await db.executeQuery<R>({ ...built, parameters })).rows;
  };
}
