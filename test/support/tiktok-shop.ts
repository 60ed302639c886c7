import type { RemoteAnswer } from '../../src/commerce/remote.ts'
import { shopAway } from '../../src/commerce/remote.ts'
import { tiktokShop } from '../../src/connectors/tiktok_shop/index.ts'
import { orders } from '../../src/connectors/tiktok_shop/orders.ts'
import type { Credentials, Settings, TikTokShop } from '../../src/connectors/tiktok_shop/settings.ts'
import type { ShopOrder, Stage } from '../../src/simulator/shop/order.ts'
import { scriptedShop } from './connector-shop.ts'
import { type ImitationOptions, openImitation } from './imitation.ts'

/** A shop on the imitation of TikTok Shop, with what its tests look for. */
export function open(options: ImitationOptions = {}) {
  const imitation = openImitation<Settings, Credentials>(tiktokShop, options)
  const { simulator, shop } = imitation
  const { book } = simulator.world.shop
  const used = new Set<number>()
  const some = (fits: (order: ShopOrder) => boolean): string => {
    const index = [...book.byNumber()].find((one) => {
      const order = book.get(one)
      return order !== null && !used.has(one) && fits(order)
    })
    if (index === undefined) throw new Error('No order is left.')
    used.add(index)
    return simulator.truth()[index]?.remote_id ?? ''
  }
  const inStage = (stage: Stage) => some((order) => order.stage === stage && order.lines.length > 1)
  const read = async (id: string) => orders.translate(await orders.get(shop, id), shop)
  const paths = () => imitation.asked.map(({ request, url }) => `${request.method} ${new URL(url).pathname}`)
  /** What was done in the shop, each once. */
  const effects = (operation: string) =>
    simulator.ledger().filter((one) => one.kind === 'effect' && one.operation === operation)
  return { ...imitation, book, some, inStage, read, paths, effects }
}

/** The shop does what it is asked, and its answer is lost on the way; once. */
export function losing(shop: TikTokShop, path: RegExp): TikTokShop {
  let left = 1
  return {
    ...shop,
    remote: {
      async request(asked) {
        const answer = await shop.remote.request(asked)
        if (left === 0 || asked.method === 'GET' || !path.test(asked.path)) return answer
        left--
        throw shopAway(30)
      },
    },
  }
}

const facts = { shop: 'uslcabcd12', settings: { shop_cipher: 'ROW_c', shop_id: '7494', region: 'US' } }
const credentials = { access_token: 't', refresh_token: 'r', app_key: 'k', app_secret: 's' }
/** A shop that gives these answers. */
export const scripted = (...answers: Partial<RemoteAnswer>[]) =>
  scriptedShop<Settings, Credentials>(tiktokShop, { facts, credentials }, answers)
export const envelope = (data: object | null) => ({ body: { code: 0, message: 'Success', data } })
export const refusal = (code: number, message: string) => ({ body: { code, message, data: null } })
