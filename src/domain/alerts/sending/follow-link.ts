import { unauthenticated } from '../../../lib/fault.ts'
import type { Wording } from '../../../lib/words/wording.ts'
import type { Context } from '../../context.ts'
import { alertsByIds, muteCauses } from '../alert-store.ts'
import type { Channel } from '../channels/channel.ts'
import { changeChannel, channelById, confirmChannel } from '../channels/channel-store.ts'
import { setReader } from '../merchants/letter-store.ts'
import { type Deed, mailboxOf, readLink } from './link.ts'
import { linkWords } from './link-sentences.ts'
import { itemsOf } from './notification-store.ts'

/** For how long a link in a message mutes. */
const muteHours = 24

/** What a link would do, in words: whoever opens it decides. */
export async function explainLink(
  context: Context,
  text: string,
): Promise<{ title: Wording; about: Wording; button: Wording }> {
  const deed = readLink(context, text)
  switch (deed.does) {
    case 'mute': {
      const n = (await mutedBy(context, deed)).length
      return {
        title: linkWords('link.mute'),
        about: n === 1 ? linkWords('link.mute_one') : linkWords('link.mute_several', { alerts: n }),
        button: linkWords('link.mute_button'),
      }
    }
    case 'stop': {
      const { hint: address } = await channelOf(context, deed)
      return {
        title: linkWords('link.stop'),
        about: linkWords('link.stop_about', { address }),
        button: linkWords('link.stop_button'),
      }
    }
    case 'confirm': {
      const { hint: address } = await channelOf(context, deed)
      return {
        title: linkWords('link.confirm'),
        about: linkWords('link.confirm_about', { address }),
        button: linkWords('link.confirm_button'),
      }
    }
    case 'unsubscribe':
      return {
        title: linkWords('link.unsubscribe'),
        about: linkWords('link.unsubscribe_about'),
        button: linkWords('link.stop_button'),
      }
  }
}

/** What the button does. Once more changes nothing. */
export async function followLink(context: Context, text: string): Promise<Wording> {
  const deed = readLink(context, text)
  switch (deed.does) {
    case 'mute': {
      const alerts = await mutedBy(context, deed)
      await context.transaction((trx) => muteCauses(trx, alerts, { hours: muteHours, userId: null }))
      return linkWords('link.muted')
    }
    case 'stop': {
      const channel = await channelOf(context, deed)
      await context.transaction((trx) => changeChannel(trx, channel.id, { active: false }))
      return linkWords('link.stopped')
    }
    case 'confirm': {
      const channel = await channelOf(context, deed)
      await context.transaction((trx) => confirmChannel(trx, channel))
      return linkWords('link.confirmed')
    }
    case 'unsubscribe':
      await context.transaction((trx) => setReader(trx, deed.account, false))
      return linkWords('link.unsubscribed')
  }
}

async function mutedBy({ db }: Context, { notification }: Extract<Deed, { does: 'mute' }>) {
  const items = await itemsOf(db, notification)
  return await alertsByIds(
    db,
    items.flatMap(({ attentionId, what }) => (what === 'opened' ? [attentionId] : [])),
  )
}

async function channelOf(
  { db }: Context,
  { channel: id, mailbox }: Extract<Deed, { does: 'stop' | 'confirm' }>,
): Promise<Channel> {
  const channel = await channelById(db, id)
  if (!channel || (mailbox ?? mailboxOf(channel.hint)) !== mailboxOf(channel.hint)) throw unauthenticated()
  return channel
}
