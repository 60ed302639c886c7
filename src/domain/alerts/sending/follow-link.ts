import { unauthenticated } from '../../../lib/fault.ts'
import type { Context } from '../../context.ts'
import { alertsByIds, muteCauses } from '../alert-store.ts'
import { changeChannel, channelById, confirmChannel } from '../channels/channel-store.ts'
import { setReader } from '../merchants/letter-store.ts'
import { type Deed, readLink } from './link.ts'
import { itemsOf } from './notification-store.ts'

/** For how long a link in a message mutes. */
const muteHours = 24

/** What a link would do, in words: whoever opens it decides. */
export async function explainLink(
  context: Context,
  text: string,
): Promise<{ title: string; about: string; button: string }> {
  const deed = readLink(context, text)
  switch (deed.does) {
    case 'mute': {
      const n = (await mutedBy(context, deed)).length
      return {
        title: 'Mute alerts',
        about: `For a day, nothing more is sent about ${n === 1 ? 'this alert' : `these ${n.toLocaleString('en')} alerts`}, to anybody. They stay in the console.`,
        button: 'Mute for a day',
      }
    }
    case 'stop': {
      const { hint } = await channelOf(context, deed.channel)
      return { title: 'Stop alerts', about: `No more alerts are sent to ${hint}.`, button: 'Stop them' }
    }
    case 'confirm': {
      const { hint } = await channelOf(context, deed.channel)
      return { title: 'Receive alerts', about: `From now on alerts are sent to ${hint}.`, button: 'Send me alerts' }
    }
    case 'unsubscribe':
      return {
        title: 'No more letters',
        about: 'No more letters about your shops are sent to you by this app.',
        button: 'Stop them',
      }
  }
}

/** What the button does. Once more changes nothing. */
export async function followLink(context: Context, text: string): Promise<string> {
  const deed = readLink(context, text)
  switch (deed.does) {
    case 'mute': {
      const alerts = await mutedBy(context, deed)
      await context.transaction((trx) => muteCauses(trx, alerts, { hours: muteHours, userId: null }))
      return 'Muted for a day.'
    }
    case 'stop': {
      const channel = await channelOf(context, deed.channel)
      await context.transaction((trx) => changeChannel(trx, channel.id, { active: false }))
      return 'No more alerts are sent to this address.'
    }
    case 'confirm': {
      const channel = await channelOf(context, deed.channel)
      await context.transaction((trx) => confirmChannel(trx, channel.id))
      return 'Alerts are sent to this address from now on.'
    }
    case 'unsubscribe':
      await context.transaction((trx) => setReader(trx, deed.account, false))
      return 'You get no more of these letters.'
  }
}

async function mutedBy({ db }: Context, { notification }: Extract<Deed, { does: 'mute' }>) {
  const items = await itemsOf(db, notification)
  return await alertsByIds(
    db,
    items.flatMap(({ attentionId, what }) => (what === 'opened' ? [attentionId] : [])),
  )
}

async function channelOf({ db }: Context, id: number) {
  const channel = await channelById(db, id)
  if (!channel) throw unauthenticated()
  return channel
}
