import { dispatchBatch } from '../../src/domain/schedules/dispatch-due.ts'
import { shopOrder, tellingShop } from '../../test/support/telling-shop.ts'
import { buyerOf, firstMerchant, nameBuyers, ordinaryShop, type Tenant, type World } from './tenants.ts'

/** Something that an app, its people or the clock do; only `ask` is timed. */
export interface Ask {
  what: string
  /** One shop or one merchant, however many the app has; all shops of the app; or nobody's of these, so that it is the same whoever asks. */
  of: 'one' | 'app' | 'world'
  before?(turn: number): Promise<unknown>
  ask(turn: number): Promise<unknown>
  after?(turn: number): Promise<unknown>
}

interface Answer {
  data: { id: number; customer?: { email?: string } }[] & { orders?: unknown[] }
  meta: { total: number }
}

const perPage = 15
/** Schedules that fall due together. */
const due = 10

export async function asksOf(world: World, tenant: Tenant): Promise<Ask[]> {
  const { program, query } = world
  const { http, context } = program
  const call = async (path: string, token: string, body?: object): Promise<Answer> => {
    const sent = body ? { method: 'POST' as const, payload: body } : { method: 'GET' as const }
    const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
    const answer = await http?.inject({ url: `/api/2.0${path}`, headers, ...sent })
    if (!answer || answer.statusCode >= 300) throw new Error(`${path}: ${answer?.statusCode} ${answer?.body}`)
    return JSON.parse(answer.body)
  }
  const asApp = (path: string, body?: object) => call(`/app${path}`, tenant.appToken, body)
  const asUser = (path: string, body?: object) => call(`/user/apps/${tenant.appId}${path}`, tenant.userToken, body)
  const some = (answer: Answer): Answer => {
    if (answer.data.length === 0) throw new Error('Nothing is found of what is there.')
    return answer
  }
  const page = async (shop: number, n: number) =>
    some(await asApp(`/orders?integration_id=${shop}&per_page=${perPage}&page=${n}`))

  const [largest, ordinary] = [tenant.first, ordinaryShop(tenant)]
  const merchant = await firstMerchant(world, tenant)
  const deep = Math.ceil((await page(largest, 1)).meta.total / perPage / 2)
  for (const { shop, n } of [
    { shop: largest, n: 1 },
    { shop: largest, n: deep },
    { shop: ordinary, n: 1 },
  ])
    await nameBuyers(
      { context, query },
      shop,
      (await page(shop, n)).data.map(({ id }) => id),
    )
  const [order] = (await page(ordinary, 1)).data
  if (order?.customer?.email !== buyerOf(ordinary)) throw new Error('The list does not say who bought.')
  const [known] = await query<{ number: string }>('select number from orders where integration_id = $1 limit 1', [
    ordinary,
  ])
  const find = async (q: string) => {
    const { data } = await asUser('/search', { q })
    if (data.orders?.length === 0) throw new Error(`${q} is not found.`)
  }
  const shopAt = (turn: number) => tenant.first + (turn % tenant.count)
  const settle = () =>
    query(`update runs set status = 'completed' where status = 'queued' and integration_id between $1 and $2`, [
      tenant.first,
      tenant.first + tenant.count - 1,
    ])
  const telling = await tellingShop(context)
  let newcomer = telling
  let told = 0
  return [
    { what: 'orders of its largest shop, first page', of: 'one', ask: () => page(largest, 1) },
    { what: 'orders of its largest shop, page in the middle', of: 'one', ask: () => page(largest, deep) },
    { what: 'orders of an ordinary shop', of: 'one', ask: () => page(ordinary, 1) },
    {
      what: 'one order',
      of: 'one',
      ask: () => asApp(`/orders/${order.id}?integration_id=${ordinary}`),
    },
    {
      what: 'orders of all shops of its largest merchant',
      of: 'one',
      ask: async () => some(await asUser(`/orders?account_id=${merchant}&limit=25`)),
    },
    { what: 'overview of the console', of: 'app', ask: () => asUser('/overview') },
    {
      what: 'shops to pick from',
      of: 'app',
      ask: async () => some(await asApp('/integrations?sort=name&include=account&per_page=15')),
    },
    {
      what: 'shops to pick from, by a part of the name',
      of: 'app',
      ask: async () => some(await asApp('/integrations?sort=name&include=account&per_page=15&filter[q]=hop%209')),
    },
    { what: 'search for an order number', of: 'app', ask: () => find(known?.number ?? '') },
    { what: 'search for an e-mail address', of: 'app', ask: () => find(buyerOf(ordinary)) },
    {
      what: 'the first message of a shop taken in and its order stored',
      of: 'world',
      before: async () => {
        newcomer = await tellingShop(context)
      },
      async ask() {
        await newcomer.tell(shopOrder('first', 1), { topic: 'order.created' })
        await newcomer.work()
      },
    },
    {
      what: 'a further message of a shop taken in and its order stored',
      of: 'world',
      async ask() {
        await telling.tell(shopOrder(`told-${++told}`, 1), { topic: 'order.created' })
        await telling.work()
      },
    },
    {
      what: `${due} due schedules claimed and their runs queued`,
      of: 'world',
      before: (turn) =>
        query(
          `update schedules set next_run_at = now() - interval '1 hour', spread_seconds = 0
           where resource = 'sync_orders' and integration_id between $1 and $2`,
          [shopAt(turn * due), shopAt(turn * due) + due - 1],
        ),
      async ask() {
        const started = await dispatchBatch(context)
        if (started !== due) throw new Error(`${started} of ${due} schedules have started.`)
      },
      after: settle,
    },
    {
      what: '"sync now" queued',
      of: 'one',
      ask: (turn) => asApp(`/integrations/${shopAt(turn)}/action`, { resource: 'sync_orders' }),
      after: settle,
    },
  ]
}
