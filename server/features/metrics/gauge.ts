import { Gauge, type Registry } from 'prom-client';

/** A value with its labels. */
export type Sample<L extends string = string> = readonly [labels: Record<L, string>, value: number];

/** A gauge whose values are read at each scrape; a value that `read` leaves out is absent, not zero. */
export function gaugeOf<L extends string>(
  registry: Registry,
  name: string,
  { help, labels, read }: { help: string; labels: readonly L[]; read: () => Iterable<Sample<L>> },
): void {
  new Gauge<L>({
    name,
    help,
    labelNames: labels,
    registers: [registry],
    collect() {
      this.reset();
      for (const [values, value] of read()) this.set(values, value);
    },
  });
}

/** A gauge without labels, which is absent while `read` returns null. */
export function valueOf(registry: Registry, name: string, { help, read }: { help: string; read: () => number | null }): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      const value = read();
      // Without labels `reset` sets zero, which would count as a reading.
      if (value === null) this.remove();
      else this.set(value);
    },
  });
}

export const seconds = (time: Date): number => time.getTime() / 1000;
