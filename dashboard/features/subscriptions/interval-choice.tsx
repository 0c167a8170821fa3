import type { Interval } from './offers.ts';
import { buy } from './texts.ts';

const intervals: Interval[] = ['month', 'year'];

/** Monthly or yearly (2.118). */
export function IntervalChoice({ value, onChange }: { value: Interval; onChange: (interval: Interval) => void }) {
  return (
    <fieldset className="plain">
      <legend className="label">{buy.interval}</legend>
      <div className="intervals">
        {intervals.map((interval) => (
          <label className="interval" key={interval}>
            <input type="radio" name="interval" value={interval} checked={interval === value} onChange={() => onChange(interval)} />
            {buy.intervals[interval]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
