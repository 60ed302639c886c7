import { mayReach } from '../../../lib/addresses/public-address.ts'
import { type FieldErrors, invalid } from '../../../lib/fault.ts'
import { open, seal } from '../../../lib/secret-box.ts'
import { formats } from '../../../lib/validation/formats.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import type { Context } from '../../context.ts'
import { hasMail } from '../../mail/send-mail.ts'
import { assertRoomForChannel } from '../../quota-store.ts'
import { postConfirmation } from '../sending/confirm-mailbox.ts'
import { type Address, addressPlace, type Channel, type ChannelType } from './channel.ts'
import { changeChannel, findChannel, insertChannel, sealedAddress, takeChannelId } from './channel-store.ts'

export interface ChannelInput {
  type: ChannelType
  name: string
  address: string
  url?: string | null | undefined
  severity?: Channel['severity'] | undefined
  active?: boolean | undefined
  delivery?: Channel['delivery'] | undefined
  daily_at?: string | null | undefined
  quiet_from?: string | null | undefined
  quiet_to?: string | null | undefined
  time_zone?: string | undefined
}

type Writing = Pick<
  Context,
  'db' | 'transaction' | 'keys' | 'webhookAllow' | 'quotas' | 'mail' | 'enqueue' | 'publicUrl'
>

/** Whoever makes it, and their own mailbox: nobody else has to agree to hear of it there. */
export interface Maker {
  userId: number | null
  email: string | null
}

/** The address is kept sealed, and in no answer. A mailbox hears nothing before whoever reads it has agreed. */
export async function createChannel(
  context: Writing,
  { appId, maker }: { appId: number; maker: Maker },
  input: ChannelInput,
): Promise<Channel> {
  const errors = errorsIn(context, input)
  if (Object.keys(errors).length > 0) throw invalid(errors)
  await assertRoomForChannel(context.db, context.quotas, { appId })
  const id = await takeChannelId(context.db)
  const confirmed = input.type !== 'email' || isOwn(maker, input.address)
  return await context.transaction(async (trx) => {
    await insertChannel(
      trx,
      { appId, createdBy: maker.userId },
      {
        ...{ id, confirmed, type: input.type, name: input.name, hint: hintOf(input.type, addressOf(input)) },
        ...sealedFor(context, id, addressOf(input)),
        severity: input.severity ?? 'warning',
        active: input.active ?? true,
        delivery: input.delivery ?? 'immediate',
        daily_at: input.daily_at ?? null,
        quiet_from: input.quiet_from ?? null,
        quiet_to: input.quiet_to ?? null,
        time_zone: input.time_zone ?? 'UTC',
      },
    )
    const made = await findChannel(trx, { appId }, id)
    if (!confirmed) await postConfirmation(context, trx, made, input.address)
    return made
  })
}

export async function updateChannel(
  context: Writing,
  channel: Channel,
  { changes, maker }: { changes: Partial<Omit<ChannelInput, 'type'>>; maker: Maker },
): Promise<Channel> {
  const { address: givenAddress, url: givenUrl, ...plain } = changes
  const isMoved = givenAddress !== undefined || givenUrl !== undefined
  const before = await readAddress(context, channel.id)
  const address = { address: givenAddress ?? before.address, url: givenUrl === undefined ? before.url : givenUrl }
  const errors = errorsIn(context, { ...channel, ...plain, ...address })
  if (Object.keys(errors).length > 0) throw invalid(errors)
  const isNewMailbox = channel.type === 'email' && address.address !== before.address
  const confirmed = !isNewMailbox || isOwn(maker, address.address)
  return await context.transaction(async (trx) => {
    await changeChannel(trx, channel.id, {
      ...defined(plain),
      ...(isMoved && { hint: hintOf(channel.type, address), ...sealedFor(context, channel.id, address) }),
      ...(isNewMailbox && { confirmed }),
    })
    const after = await findChannel(trx, { appId: channel.app_id }, channel.id)
    if (isNewMailbox && !confirmed) await postConfirmation(context, trx, after, address.address)
    return after
  })
}

const defined = <T extends object>(changes: T) =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as Partial<Channel>

const isOwn = ({ email }: Maker, address: string): boolean => email?.toLowerCase() === address.toLowerCase()

const addressOf = ({ address, url }: Pick<ChannelInput, 'address' | 'url'>): Address => ({ address, url: url ?? null })

const sealedFor = ({ keys }: Pick<Context, 'keys'>, id: number, address: Address) => ({
  address: seal(keys, JSON.stringify(address), addressPlace(id)),
  key_id: keys[0].id,
})

/** Where it leads; whoever gets to know it has it from here only. */
export async function readAddress({ keys, db }: { keys: Context['keys']; db: Db }, id: number): Promise<Address> {
  const sealed = await sealedAddress(db, id)
  return sealed === null ? { address: '', url: null } : JSON.parse(open(keys, sealed, addressPlace(id)))
}

/** Enough to tell one from another. */
function hintOf(type: ChannelType, { address, url }: Address): string {
  if (type === 'email') return address
  if (type === 'slack') return new URL(address).host
  return `${url === null ? 'events.pagerduty.com' : new URL(url).host} …${address.slice(-4)}`
}

function errorsIn(
  context: Pick<Context, 'webhookAllow' | 'mail'>,
  input: Pick<ChannelInput, 'type' | 'address' | 'url' | 'quiet_from' | 'quiet_to'>,
): FieldErrors {
  const errors: FieldErrors = {}
  const { type, address, url = null } = input
  const isReached = (text: string) => formats.url.test(text) && mayReach(text, context.webhookAllow)
  if (type === 'email' && !formats.email.test(address)) {
    errors['address'] = ['The address field must be a valid email address.']
  } else if (type === 'email' && !hasMail(context)) {
    errors['type'] = ['This service has no mail server.']
  }
  if (type === 'slack' && !isReached(address)) errors['address'] = ['The address field must be a valid URL.']
  if (type === 'pagerduty' && !/^[\w-]{8,128}$/.test(address)) {
    errors['address'] = ['The address field must be a routing key.']
  }
  if (url !== null && (type !== 'pagerduty' || !isReached(url))) errors['url'] = ['The url field must be a valid URL.']
  const { quiet_from: from = null, quiet_to: to = null } = input
  if ((from === null) !== (to === null) || (from !== null && from === to)) {
    errors['quiet_to'] = ['Quiet hours need a beginning and another end.']
  }
  return errors
}
