import type { PolicyId } from '@porchlight/contract/policies.ts';
import { Loading } from '../../ui/loading.tsx';
import { messages } from './messages.ts';
import { usePolicies } from './queries.ts';

export interface PolicyChoiceProps {
  value: PolicyId;
  onChange: (policy: PolicyId) => void;
}

/** Shows profile names without the suffix ' (Default)' (2.80). */
export function PolicyChoice({ value, onChange }: PolicyChoiceProps) {
  const policies = usePolicies();
  return (
    <fieldset className="plain">
      <legend className="label">{messages.choose}</legend>
      <Loading of={policies} height={180}>
        {({ default_policies, custom_policies }) =>
          [...default_policies, ...custom_policies].map((policy) => (
            <label className="choice" key={policy.uuid}>
              <input
                type="radio"
                name="policy"
                value={policy.uuid}
                checked={policy.uuid === value}
                onChange={() => onChange(policy.uuid)}
              />
              <span>
                <strong>{policy.name.replace(/ \(Default\)$/, '')}</strong>
                <br />
                <span className="soft">{policy.description}</span>
              </span>
            </label>
          ))
        }
      </Loading>
    </fieldset>
  );
}
