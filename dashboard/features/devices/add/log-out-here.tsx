import { useState } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '../../../lib/paths.ts';
import { Check } from '../../../ui/field.tsx';
import { messages } from '../messages.ts';
import { clearSetup } from './draft.ts';

/** After setting up someone else's computer on that computer, the login ends there unless the user wants to keep it (P8.1). */
export function LogOutHere({ onLogOut }: { onLogOut: () => void }) {
  const [wanted, setWanted] = useState(true);
  const navigate = useNavigate();
  const finish = () => {
    clearSetup();
    if (wanted) onLogOut();
    else void navigate(paths.home);
  };
  return (
    <div className="card stack">
      <Check name="log_out" checked={wanted} onChange={setWanted}>
        <strong>{messages.person.logOut}</strong>
        <br />
        <span className="soft">{messages.person.logOutHint}</span>
      </Check>
      <button type="button" className="btn" onClick={finish}>
        {messages.person.finish}
      </button>
    </div>
  );
}
