import { lazy, Suspense } from 'react';
import { ErrorBoundary } from '../error-boundary.tsx';
import { messages } from './messages.ts';
import type { PhoneFieldProps } from './phone-field.tsx';
import './phone.css';

const PhoneField = lazy(async () => ({ default: (await import('./phone-field.tsx')).PhoneField }));

/** Loads the library of countries only when shown, with a placeholder meanwhile. */
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
      {[messages.country, label].map((text) => (
        <div key={text} className="field">
          <span className="label">{text}</span>
          <div className="skeleton" />
          {text === label && hint && <div className="soft small">{hint}</div>}
        </div>
      ))}
      <span className="sr" role="status">
        {messages.loading}
      </span>
    </div>
  );
}
