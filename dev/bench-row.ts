/** One measurement as a bench hands it over. */
export interface Row {
  name: string;
  value: number;
  unit: string;
  /** The other program, measured in the same run; null where there is none. */
  peer: string | null;
  peer_value: number | null;
  /** What must hold: at most this value, or at most (at least) this ratio to the peer. */
  aim: { at_most: number } | { ratio_at_most: number } | { ratio_at_least: number };
  /** What it takes to measure it, where not everyone has it. */
  needs?: string;
}

export interface Result extends Omit<Row, 'aim'> {
  ratio: number | null;
  aim: string;
  holds: boolean;
}

/** Works out the ratio and whether the aim is met. A ratio without a peer is never met. */
export function measured(row: Row): Result {
  const value = rounded(row.value);
  const ratio = row.peer_value ? rounded(row.value / row.peer_value) : null;
  const { aim: _, ...rest } = row;
  const common = { ...rest, value, peer_value: row.peer_value === null ? null : rounded(row.peer_value), ratio };
  if ('at_most' in row.aim) return { ...common, aim: `≤ ${row.aim.at_most} ${row.unit}`, holds: row.value <= row.aim.at_most };
  if ('ratio_at_most' in row.aim)
    return { ...common, aim: `ratio ≤ ${row.aim.ratio_at_most}`, holds: ratio !== null && ratio <= row.aim.ratio_at_most };
  return { ...common, aim: `ratio ≥ ${row.aim.ratio_at_least}`, holds: ratio !== null && ratio >= row.aim.ratio_at_least };
}

/** The middle one. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
