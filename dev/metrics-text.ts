/** A metric that an expression of Prometheus reads, with the labels that it selects or groups by. */
export interface MetricUse {
  /** Of a histogram, without `_bucket`, `_sum` and `_count`. */
  name: string;
  labels: string[];
}

const metric = /\b((?:porchlight|process|nodejs)_\w+|up)\b(?:\{([^}]*)\})?/g;
const grouping = /\b(?:by|on) \(([^)]*)\)/g;

/** What an expression reads. Labels by which it groups count for each of its metrics. */
export function metricsRead(expr: string): MetricUse[] {
  const grouped = [...expr.matchAll(grouping)].flatMap(([, list = '']) => list.split(',').map((label) => label.trim()));
  return [...expr.matchAll(metric)].map(([, name = '', matchers = '']) => ({
    name: familyOf(name),
    labels: [...grouped, ...[...matchers.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, label = '']) => label)],
  }));
}

const familyOf = (name: string) => name.replace(/_(?:bucket|sum|count)$/, '');

export interface Metric {
  /** Without `le`; null for a metric without a value. */
  labels: string[] | null;
}

/** The metrics of a text in the format of Prometheus, by name. */
export function readMetrics(text: string): Map<string, Metric> {
  const metrics = new Map<string, Metric>();
  for (const [, name = ''] of text.matchAll(/^# TYPE (\w+) \w+$/gm)) metrics.set(name, { labels: null });
  for (const [, sample = '', labels = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const found = metrics.get(sample) ?? metrics.get(familyOf(sample));
    if (found)
      found.labels = [...labels.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)].map(([, label = '']) => label).filter((label) => label !== 'le');
  }
  return metrics;
}
