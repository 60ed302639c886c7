import { once } from 'node:events'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  from: string
  to: string[]
  /** As it came over the wire, with soft line breaks joined. */
  source: string
}

/** A mail server on this machine that keeps what it gets, or refuses it. */
export interface MailServer {
  /** What `SMTP_URL` says. */
  url: string
  received: ReceivedMail[]
  /** Set: what it answers to every recipient in the place of taking the letter. */
  refusal: { code: number; text: string } | null
  /** Set: it listens to the letter, and never says that it has it. */
  stalls: boolean
  /** How many it has left without an answer. */
  stalled: number
  close(): Promise<void>
}

const user = { name: 'entrepot', password: 'p@ss' }

export async function startMailServer(): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const server = new SMTPServer({
    // A password is asked for, in the clear: it is loopback.
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) =>
      username === user.name && password === user.password
        ? done(null, { user: username })
        : done(new Error('Wrong password')),
    onRcptTo: (_address, _session, done) => {
      const { refusal } = mail
      done(refusal ? Object.assign(new Error(refusal.text), { responseCode: refusal.code }) : null)
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (mail.stalls) {
          mail.stalled++
          return
        }
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          source: unfolded(Buffer.concat(chunks).toString()),
        })
        done(null)
      })
    },
  })
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const address = server.server.address()
  if (typeof address !== 'object' || address === null) throw new Error('not listening')
  const mail: MailServer = {
    url: `smtp://${user.name}:${encodeURIComponent(user.password)}@127.0.0.1:${address.port}`,
    received,
    refusal: null,
    stalls: false,
    stalled: 0,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return mail
}

/** Quoted-printable, read. */
const unfolded = (source: string): string =>
  source
    .replace(/=\r\n/g, '')
    .replace(/(?:=[0-9A-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll('=', ''), 'hex').toString())

/** The address of the only link in a letter. */
export function linkIn({ source }: ReceivedMail): string {
  const [link = ''] = /https?:\/\/[^\s"<]+/.exec(source) ?? []
  return link
}
