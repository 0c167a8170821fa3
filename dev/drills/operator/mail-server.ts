import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MailboxMail } from '@porchlight/simulators/mailbox/mailbox.ts';
import PostalMime from 'postal-mime';
import type { Machine } from './machine.ts';

const configuration = `
primary_hostname = mail.example.org
local_interfaces = 127.0.0.1
daemon_smtp_ports = 465
tls_on_connect_ports = 465
tls_advertise_hosts = *
tls_certificate = /etc/exim4/mail.pem
tls_privatekey = /etc/exim4/mail.key
acl_smtp_rcpt = acl_rcpt
begin acl
acl_rcpt:
  accept authenticated = *
  deny message = log in first
begin routers
everyone:
  driver = accept
  transport = store
begin transports
store:
  driver = appendfile
  directory = /home/postbox/mail
  maildir_format
  user = postbox
begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_prompts = :
  server_condition = \${if and{{eq{$auth2}{user}}{eq{$auth3}{password}}}}
  server_set_id = $auth2
`;

/** Exim on port 465, with TLS and a login, which puts every mail into one folder. Its certificate is signed by `ca.pem` in `/root`. */
export async function startMailServer(machine: Machine): Promise<void> {
  await machine.run('apt-get update -q && apt-get install -y -q --no-install-recommends exim4-daemon-light', { online: true });
  await machine.run(`
    cd /root
    openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj '/CN=Authority of the drill' -keyout ca.key -out ca.pem
    openssl req -newkey rsa:2048 -nodes -subj '/CN=mail.example.org' -keyout /etc/exim4/mail.key -out mail.csr
    printf 'subjectAltName=DNS:mail.example.org' > names
    openssl x509 -req -in mail.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 30 -extfile names -out /etc/exim4/mail.pem
    chown root:Debian-exim /etc/exim4/mail.key && chmod 640 /etc/exim4/mail.key
    useradd --create-home postbox
    cat > /etc/exim4/exim4.conf <<'END'${configuration}END
    exim4 -bd`);
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
      ...{ list_unsubscribe: null, list_unsubscribe_post: null, request_id: null },
    }))
    .sort((a, b) => b.received.localeCompare(a.received));
}
