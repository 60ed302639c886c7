import { createTransport } from 'nodemailer'
import { addressList } from '../../lib/addresses/address-list.ts'
import { Fault } from '../../lib/fault.ts'

/** The way out for mail: a server that the operator names, and never an address that a stranger could choose. */
export interface Mailer {
  /** Resolves once the server has taken it. What it refuses for good is worth no second try. */
  send(message: Message): Promise<void>
  /** Whether the server can be reached and lets us in; throws what it says otherwise. */
  check(): Promise<void>
  close(): void
}

export interface Message {
  /** The same in every try: mailboxes that got one twice can tell. */
  id: string
  to: string
  subject: string
  text: string
  html: string
  /** Where a mail program ends these letters by itself, as RFC 8058 says. */
  unsubscribeUrl?: string
}

export interface MailSettings {
  /** `smtps://user:password@host:465`, or `smtp://…` with STARTTLS. */
  url: string
  from: string
}

const seconds = (count: number) => count * 1000
const loopback = addressList(['loopback'])
const isHere = (host: string) => host === 'localhost' || loopback(host)

export function createMailer({ url, from }: MailSettings): Mailer {
  const server = new URL(url)
  const secure = server.protocol === 'smtps:'
  const host = server.hostname.replace(/^\[|\]$/g, '')
  const user = decodeURIComponent(server.username)
  const transport = createTransport({
    host,
    port: Number(server.port) || (secure ? 465 : 587),
    secure,
    ...(user && { auth: { user, pass: decodeURIComponent(server.password) } }),
    // A password goes over no network in the clear.
    requireTLS: user !== '' && !isHere(host),
    connectionTimeout: seconds(10),
    greetingTimeout: seconds(10),
    socketTimeout: seconds(30),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = new URL(`http://${from.replace(/^.*@|>\s*$/g, '')}`).hostname
  return {
    async send({ id, to, unsubscribeUrl, ...content }) {
      await transport
        // An object: text would be split at commas.
        .sendMail({
          ...content,
          ...(unsubscribeUrl && { headers: endingHeaders(unsubscribeUrl) }),
          from,
          to: { name: '', address: to },
          messageId: `<${id}@${domain}>`,
          xMailer: false,
        })
        .catch((error: unknown) => {
          throw faultOf(error)
        })
    },
    async check() {
      await transport.verify().catch((error: unknown) => {
        throw faultOf(error)
      })
    },
    close: () => transport.close(),
  }
}

const endingHeaders = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})

interface Refused {
  responseCode?: unknown
  /** What it was the answer to. */
  command?: unknown
  message?: unknown
}

/** With these the server is told of the letter. Before, it has refused us, and may take the same letter another time. */
const ofLetter: ReadonlySet<unknown> = new Set(['MAIL FROM', 'RCPT TO', 'DATA'])
const loginMissing = 530

/** A log-in that is refused or missing may be put right by the operator: the letters wait for it. */
function faultOf(error: unknown): Fault {
  const { responseCode: answer, command, message }: Refused = Object(error)
  const said = String(message).replace(/\S+@\S+/g, '…')
  const isFinal = typeof answer === 'number' && answer >= 500 && answer !== loginMissing && ofLetter.has(command)
  return new Fault(isFinal ? 'upstream_refused' : 'upstream_retryable', `The mail server: ${said}`)
}
