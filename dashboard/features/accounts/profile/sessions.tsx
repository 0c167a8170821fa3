import { flushSync } from 'react-dom';
import { useNavigate } from 'react-router';
import { paths } from '../../../lib/paths.ts';
import { useConfirm } from '../../../ui/confirm-dialog.tsx';
import { Form, useForm } from '../../../ui/form.tsx';
import { SessionsCard } from '../../../ui/sessions-card.tsx';
import { afterLogOutEverywhere } from '../log-out.ts';
import { messages } from './messages.ts';
import { useSessions } from './queries.ts';

export function Sessions() {
  const { sessions, end } = useSessions();
  const ask = useConfirm();
  return (
    <SessionsCard
      sessions={sessions}
      messages={messages.sessions}
      lead={messages.sessions.lead}
      onEnd={async ({ uuid, browser }) => {
        await ask(messages.sessions.ask(browser));
        await end(uuid);
      }}
    >
      <LogOutEverywhere />
    </SessionsCard>
  );
}

function LogOutEverywhere() {
  const words = messages.sessions.everywhere;
  const { endAll } = useSessions();
  const ask = useConfirm();
  const form = useForm();
  const navigate = useNavigate();
  const press = () =>
    form.run(async () => {
      await ask({ ...words.ask, danger: true });
      await endAll();
      // The log-in page is for guests only (2.26), so the log-out must be rendered first.
      flushSync(afterLogOutEverywhere);
      void navigate(paths.loginAfter('logged-out-everywhere'));
      return undefined;
    });
  return (
    <Form state={form} onSubmit={() => void press()} label={words.button}>
      <button type="submit" className="btn danger">
        {words.button}
      </button>
      <p className="soft small">{words.hint}</p>
    </Form>
  );
}
