import type { Db } from '../../../runtime/db/connection.ts'
import { appsById } from '../../apps/app-store.ts'
import type { Context } from '../../context.ts'
import { asName } from '../../mail/letter.ts'
import { postLetter } from '../../mail/send-mail.ts'
import type { Channel } from '../channels/channel.ts'
import { linkFor, mailboxOf } from './link.ts'

/** Asks whoever reads a mailbox whether alerts may go there. */
export async function postConfirmation(
  context: Pick<Context, 'keys' | 'publicUrl' | 'mail' | 'enqueue'>,
  trx: Db,
  { id, app_id: appId }: Channel,
  to: string,
): Promise<void> {
  const app = (await appsById(trx, [appId])).get(appId)
  await postLetter(context, trx, {
    to,
    subject: 'Confirm this address for alerts',
    paragraphs: [`Somebody wants alerts of the app ${asName(app?.name ?? '')} at Entrepot to be sent to this address.`],
    link: { label: 'Send me alerts', url: linkFor(context, { does: 'confirm', channel: id, mailbox: mailboxOf(to) }) },
    small: ['The link works for seven days. If you do not want them, there is nothing you have to do.'],
  })
}
