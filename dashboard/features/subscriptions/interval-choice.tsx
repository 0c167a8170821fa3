import { buy } from './buy-messages.ts';
import type { Interval } from './offers.ts';

const intervals: Interval[] = ['month', 'year'];

interface IntervalChoiceProps {
  value: Interval;
  onChange: (interval: Interval) => void;
  /** Yearly payment saves as much as 2.118 promises. */
  saves: boolean;
}

/** Clause 2.118. */
export function IntervalChoice({ value, onChange, saves }: IntervalChoiceProps) {
  return (
    <fieldset className="plain">
      <legend className="label">{buy.interval}</legend>
      <div className="intervals">
        {intervals.map((interval) => (
          <label className="interval" key={interval}>
            <input type="radio" name="interval" value={interval} checked={interval === value} onChange={() => onChange(interval)} />
            {buy.intervals[interval === 'year' && saves ? 'saving' : interval]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
