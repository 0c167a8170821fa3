import { type RawBuilder, sql } from 'kysely';

export interface Flags<N extends string> {
  /** An integer with one bit for each condition that is true; null counts as false. */
  of(conditions: Record<N, RawBuilder<boolean | null>>): RawBuilder<number>;
  read(bits: number): Record<N, boolean>;
}

/** Conditions as one column: the driver spends more time on each further column of a small row than on its value. 31 names at most. */
export function flags<const N extends string>(names: readonly N[]): Flags<N> {
  return {
    of: (conditions) =>
      sql`(${sql.join(
        names.map((name, bit) => sql`(coalesce(${conditions[name]}, false)::int << ${sql.lit(bit)})`),
        sql` | `,
      )})`,
    read: (bits) => Object.fromEntries(names.map((name, bit) => [name, (bits & (1 << bit)) !== 0])) as Record<N, boolean>,
  };
}
