export interface Row {
  name: string;
  value: number;
  unit: string;
  /** The reference program measured in the same run. */
  peer: string | null;
  peer_value: number | null;
  aim: { at_most: number } | { ratio_at_most: number } | { ratio_at_least: number };
  /** Requirements of the benchmark that not every computer meets. */
  needs?: string;
}

export interface Result extends Omit<Row, 'aim'> {
  ratio: number | null;
  aim: string;
  holds: boolean;
}

/** A ratio aim is not met when the reference program is missing. */
export function measured(row: Row): Result {
  const value = rounded(row.value);
  const ratio = row.peer_value ? rounded(row.value / row.peer_value) : null;
  const { aim: _, ...rest } = row;
  const commonFields = { ...rest, value, peer_value: row.peer_value === null ? null : rounded(row.peer_value), ratio };
  if ('at_most' in row.aim) return { ...commonFields, aim: `≤ ${row.aim.at_most} ${row.unit}`, holds: row.value <= row.aim.at_most };
  if ('ratio_at_most' in row.aim)
    return { ...commonFields, aim: `ratio ≤ ${row.aim.ratio_at_most}`, holds: ratio !== null && ratio <= row.aim.ratio_at_most };
  return { ...commonFields, aim: `ratio ≥ ${row.aim.ratio_at_least}`, holds: ratio !== null && ratio >= row.aim.ratio_at_least };
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
