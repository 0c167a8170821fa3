import { saveFile } from '../../../lib/save-file.ts';
import { Form, useForm } from '../../../ui/form.tsx';
import { usePasswordDialog } from '../profile/password-dialog.tsx';
import { messages } from './messages.ts';
import { type DownloadFormat, useDownload } from './queries.ts';

const words = messages.download;

/** P13.2: everything that is stored about the account, as a file. */
export function DownloadCard() {
  const form = useForm();
  const download = useDownload();
  const { withPassword, dialog } = usePasswordDialog();
  const get = (format: DownloadFormat) =>
    form.run(async () => {
      let saved = '';
      await withPassword(async (proof) => {
        const file = await download({ ...proof, format });
        saveFile(file);
        saved = file.file_name;
      }, words.ask);
      return words.done(saved);
    });
  return (
    <section className="card stack" aria-labelledby="download">
      <h2 id="download">{words.heading}</h2>
      <p>{words.lead}</p>
      <div>
        <p>{words.inIt}</p>
        <ul className="dots">
          {words.contents.map((part) => (
            <li key={part}>{part}</li>
          ))}
        </ul>
      </div>
      <p>{words.notInIt}</p>
      <p className="note look">{words.warning}</p>
      <Form state={form} onSubmit={() => void get('page')} label={words.heading}>
        {/* Never disabled, because the dialog returns the focus to them. The form itself ignores a second press. */}
        <div className="row">
          <button type="submit" className="btn">
            {words.page}
          </button>
          <button type="button" className="btn quiet" onClick={() => form.loading || void get('json')}>
            {words.json}
          </button>
        </div>
        <p className="soft">
          {words.which} {words.logged}
        </p>
      </Form>
      {dialog}
    </section>
  );
}
