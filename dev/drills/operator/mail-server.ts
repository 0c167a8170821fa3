import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MailboxMail } from '@porchlight/simulators/mailbox/mailbox.ts';
import PostalMime from 'postal-mime';
import type { Machine } from './machine.ts';

/** OpenSMTPD on port 465, with TLS and a login, which puts every mail into one folder. Its certificate is signed by `ca.pem` in `/root`. */
export async function startMailServer(machine: Machine): Promise<void> {
  await machine.run('apt-get update -q && apt-get install -y -q --no-install-recommends opensmtpd', { online: true });
  await machine.run(`
    cd /root
    openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj '/CN=Authority of the drill' -keyout ca.key -out ca.pem
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj '/CN=mail.example.org' -keyout mail.key -out mail.csr
    printf 'subjectAltName=DNS:mail.example.org' > names
    openssl x509 -req -in mail.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 30 -extfile names -out mail.pem
    chmod 600 mail.key
    useradd --create-home postbox
    echo "porchlight $(smtpctl encrypt password)" > /etc/smtpd.credentials
    echo '@ postbox' > /etc/smtpd.everyone
    cat > /etc/smtpd.conf <<'END'
pki mail cert "/root/mail.pem"
pki mail key "/root/mail.key"
table credentials file:/etc/smtpd.credentials
table everyone file:/etc/smtpd.everyone
listen on lo port 465 smtps pki mail auth <credentials> hostname mail.example.org
action "store" maildir "/home/postbox/mail" virtual <everyone>
match auth from any for any action "store"
END
    smtpd -n
    smtpd`);
}

/** All that arrived, the newest first. */
export async function mailsOn(folder: string): Promise<MailboxMail[]> {
  const inbox = join(folder, 'home/postbox/mail/new');
  const files = (await readdir(inbox).catch(() => [])).map((name) => join(inbox, name));
  const mails = await Promise.all(files.map(async (file) => PostalMime.parse(await readFile(file))));
  return mails
    .map((mail, id) => ({
      ...{ id: String(id), message_id: mail.messageId ?? '', received: mail.date ?? '', from: mail.from?.address ?? '' },
      ...{
        to: (mail.to ?? []).map(({ address = '' }) => address),
        subject: mail.subject ?? '',
        text: mail.text ?? '',
        html: mail.html ?? '',
      },
      ...{ list_unsubscribe: null, list_unsubscribe_post: null },
    }))
    .sort((a, b) => b.received.localeCompare(a.received));
}
