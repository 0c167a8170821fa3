import { lazy, Suspense } from 'react';
import { ErrorBoundary } from '../error-boundary.tsx';
import { messages } from './messages.ts';
import type { PhoneFieldProps } from './phone-field.tsx';
import './phone.css';

const PhoneField = lazy(async () => ({ default: (await import('./phone-field.tsx')).PhoneField }));

/** The phone field, which comes with the library of all countries only when it is shown; its place is kept meanwhile. */
export function LazyPhoneField(props: PhoneFieldProps) {
  return (
    <ErrorBoundary part>
      <Suspense fallback={<PhoneSkeleton label={props.label} hint={props.hint} />}>
        <PhoneField {...props} />
      </Suspense>
    </ErrorBoundary>
  );
}

function PhoneSkeleton({ label, hint }: Pick<PhoneFieldProps, 'label' | 'hint'>) {
  return (
    <div className="phone">
      {[messages.country, label].map((words) => (
        <div key={words} className="field">
          <span className="label">{words}</span>
          <div className="skeleton" />
          {words === label && hint && <div className="soft small">{hint}</div>}
        </div>
      ))}
      <span className="sr" role="status">
        {messages.loading}
      </span>
    </div>
  );
}
