import { randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import { unavailable } from '../../lib/fault.ts'
import { open, seal } from '../../lib/secret-box.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { job } from '../../runtime/jobs/job.ts'
import type { Message } from '../../runtime/mail/mailer.ts'
import type { Context } from '../context.ts'
import { type Letter, messageOf } from './letter.ts'

/** Letters have links in them that let somebody in: in the queue they are sealed. */
const placeOf = (id: string) => `pgboss.job send-mail ${id}`

export const sendMail = job({
  name: 'send-mail',
  input: Type.Object({
    id: Type.String(),
    sealed: Type.String(),
    /** In milliseconds: after that nobody needs it any more. Null: whenever it arrives. */
    until: Type.Union([Type.Integer(), Type.Null()]),
  }),
  retry: { attempts: 10, delaySeconds: 15 },
  maxRunSeconds: 120,
  run: async (context: Context, { id, sealed, until }) => {
    if (until !== null && Date.now() > until) return
    if (!context.mail) throw unavailable(60, new Error('SMTP_URL is not set where jobs run.'))
    const message: Message = JSON.parse(open(context.keys, Buffer.from(sealed, 'base64'), placeOf(id)))
    await context.mail.send(message)
  },
})

/** Whether letters go anywhere; where they do not, links are shown to those who may hand them on. */
export const hasMail = ({ mail }: Pick<Context, 'mail'>): boolean => mail !== undefined

/** Sends it if the transaction commits. False: this service has no mail server. */
export async function postLetter(
  context: Pick<Context, 'mail' | 'keys' | 'enqueue'>,
  trx: Db,
  letter: Letter,
  { untilMs = null }: { untilMs?: number | null } = {},
): Promise<boolean> {
  if (!hasMail(context)) return false
  const id = randomUUID()
  const sealed = seal(context.keys, JSON.stringify(messageOf(id, letter)), placeOf(id)).toString('base64')
  await context.enqueue(trx, sendMail, { id, sealed, until: untilMs })
  return true
}
