import type { RemoteAnswer, RemoteRequest } from '../../../commerce/remote.ts'
import type { ShopFacts } from '../../../commerce/shop.ts'
import { callOf } from '../../../simulator/http/call.ts'
import type { Platform } from '../../../simulator/platform.ts'
import { sandbox } from '../../../simulator/platforms/sandbox/index.ts'
import { createWorld } from '../../../simulator/world.ts'

/**
 * Shops inside this process: the simulator's, in calm weather and without a socket, a ledger or messages. They are handed
 * whatever a proxied call contains.
 */
const shops = new Map<string, InnerShop>()
const maxShops = 500
const maxRecords = 10_000
const maxBytes = 100_000

interface InnerShop {
  platform: Platform
  origin: string
  isFull(): boolean
}

/** As after a restart of the process: what was changed in them is gone. */
export const forgetShops = (): void => shops.clear()

interface Facts {
  seed?: string | undefined
  orders?: number | undefined
}

function shopOf({ shop, settings: { seed = shop, orders = 25 } }: ShopFacts<Facts>): InnerShop {
  const name = `${seed}|${orders}`
  const known = shops.get(name)
  if (known) return known
  // The oldest goes: it is a playground, and must not fill the memory of a server that hosts many.
  for (const oldest of shops.keys()) {
    if (shops.size < maxShops) break
    shops.delete(oldest)
  }
  // As of this morning, so that it looks like a shop of today and is the same in every process.
  const historyEnds = new Date().setUTCHours(0, 0, 0, 0) * 1000
  const options = { orders, products: 40, seed, variant: { inside: 'yes' }, historyEnds }
  const world = createWorld(options, 'sandbox', { ...sandbox, currency: 'EUR', simple: true })
  const { book, stockroom } = world.shop
  const isFull = () => book.count() >= maxRecords || stockroom.size() >= maxRecords
  const made = { platform: sandbox.open(world), origin: world.origin, isFull }
  shops.set(name, made)
  return made
}

const unwritten = { caller: () => {}, effect: () => {} }

type Answering = (request: RemoteRequest, facts: ShopFacts<Facts>) => Promise<RemoteAnswer>

let elsewhere: Answering | null = null

/** Where another thread has them: one shop is not two. */
export const askElsewhere = (ask: Answering): void => {
  elsewhere = ask
}

export const answer: Answering = async (request, facts) => await (elsewhere ?? answerHere)(request, facts)

async function answerHere(request: RemoteRequest, facts: ShopFacts<Facts>): Promise<RemoteAnswer> {
  const { platform, origin, isFull } = shopOf(facts)
  const { method, path, headers = {}, query = {} } = request
  const reply = (status: number, body: unknown) => ({ status, headers: { 'content-type': 'application/json' }, body })
  const url = URL.parse(path, origin)
  const body = Buffer.from(JSON.stringify(request.body) ?? '')
  for (const [name, value] of Object.entries(query))
    for (const one of [value ?? []].flat()) url?.searchParams.append(name, String(one))
  const call = callOf({ method, url: url?.href ?? '', headers, body })
  if (!call || call.origin !== origin) return reply(404, { error: 'There is nothing here.' })
  if (body.length > maxBytes) return reply(413, { error: 'That is more than the shop reads.' })
  const makes = (method === 'POST' && call.path === '/orders') || method === 'PUT'
  if (makes && isFull()) return reply(422, { error: 'The shop is full.' })
  const made = await platform.route(call).run(unwritten)
  // As over a wire: what the shop changes later does not change what it has said.
  return reply(made.status, structuredClone(made.body))
}
