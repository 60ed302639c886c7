import { type Fields, isFields } from '../../src/commerce/reading.ts'
import type { RemoteAnswer } from '../../src/commerce/remote.ts'
import { shopify } from '../../src/connectors/shopify/index.ts'
import type { Credentials, Settings } from '../../src/connectors/shopify/settings.ts'
import type { MemorySimulator } from '../../src/simulator/simulator.ts'
import { type ImitationOptions, openImitation, type SentCall } from './imitation.ts'

export interface ShopifyOptions extends ImitationOptions {
  /** How many records of each kind the shop says it has, where that is not the truth. */
  claims?: { readonly count: number | null }
}

/** The imitation, opened, and every document that it was sent. */
export function openShopify({ claims, ...options }: ShopifyOptions = {}) {
  const { before } = options
  const opened = openImitation<Settings, Credentials>(shopify, {
    ...options,
    before: (call) => {
      const count = claims?.count ?? null
      const name = /^query HowMany { (\w+)/.exec(textIn(call))?.[1]
      if (count !== null && name) return said({ [name]: { count, precision: 'EXACT' } })
      return before?.(call) ?? null
    },
  })
  const used = new Set<string>()
  return {
    ...opened,
    /** The variables of all documents that begin so. */
    sentAs: (start: string) =>
      opened.asked.flatMap((call): Fields[] =>
        textIn(call).startsWith(start) && isFields(call.request.body) ? [call.request.body['variables'] as Fields] : [],
      ),
    /** An order that may be sent or cancelled, another one each time. */
    openOrder(lines = 1): string {
      const found = opened.simulator
        .truth()
        .find((one) => one.stage === 'paid' && one.lines >= lines && !used.has(one.remote_id))
      if (!found) throw new Error('No order is left.')
      used.add(found.remote_id)
      return found.remote_id
    },
    ids: () => opened.simulator.truth().map((one) => one.remote_id),
  }
}

/** One product with more variants than are told with it. */
export function addLargeProduct({ world }: MemorySimulator): void {
  const variants = Array.from({ length: 45 }, (_, n) => ({ sku: `LARGE-${n}`, title: `No ${n}`, price: 435, stock: n }))
  world.shop.stockroom.add({ title: 'Large', html: '', status: 'active', images: [], variants })
}

export const textIn = ({ request: { body } }: SentCall): string => (isFields(body) ? String(body['query']) : '')

export const said = (data: Fields): RemoteAnswer => ({ status: 200, headers: {}, body: { data } })

export const gid = (kind: string, n: number): string => `gid://shopify/${kind}/${n}`
