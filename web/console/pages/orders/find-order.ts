import { Refusal } from '../../../lib/ask.ts'
import { asApp, ask } from '../../api.ts'
import type { Choice } from '../../integration-picker.ts'

/** Orders by what people have in hand: a number, an e-mail address, a name, a tracking number, the shop's own id. */

export interface Found {
  id: number
  integration_id: number
  title: string
  /** Whose it is, or where it was found. */
  about: string
}

/** None: the reason is told by the page for a number that nobody has. */
export async function findOrders(app: string, chosen: Choice, text: string): Promise<readonly Found[]> {
  if (text.includes('@')) return await byPerson(app, chosen, { email: text })
  const numbered = await byNumber(app, chosen, text)
  if (numbered.length > 0) return numbered
  const inShop = [...(await byRemoteId(app, chosen, text)), ...(await byTracking(app, chosen, text))]
  if (inShop.length > 0) return inShop
  return /^[\p{L}][\p{L}\s.’'-]+$/u.test(text) ? await byPerson(app, chosen, { name: text }) : []
}

/** In all shops of the app. */
async function byNumber(app: string, chosen: Choice, number: string): Promise<Found[]> {
  const query = { number } as never
  try {
    const { data } = await ask(asApp(app).GET('/api/2.0/app/passport', { params: { query } }))
    const { order, others } = data
    const title = order.number ?? order.remote_id
    const about = `Order number ${title}`
    return [order, ...others].map(({ id, integration_id: shop }) => ({ id, integration_id: shop, title, about }))
  } catch (error) {
    if (!(error instanceof Refusal) || (error.status !== 404 && error.status !== 422)) throw error
    return error.status === 422 ? await byFilter(app, chosen, { 'filter[number]': number }) : []
  }
}

const byRemoteId = (app: string, chosen: Choice, id: string) => byFilter(app, chosen, { 'filter[remote_id]': id })

async function byFilter(app: string, { id, name }: Choice, filter: Readonly<Record<string, string>>): Promise<Found[]> {
  const query = { integration_id: id, per_page: 10, ...filter } as never
  const { data } = await ask(asApp(app).GET('/api/2.0/app/orders', { params: { query } }))
  return data.map((order) => ({
    id: order.id,
    integration_id: id,
    title: order.number ?? order.remote_id,
    about: name,
  }))
}

async function byTracking(app: string, { id }: Choice, number: string): Promise<Found[]> {
  const query = { integration_id: id, per_page: 10, 'filter[tracking_number]': number } as never
  const { data } = await ask(asApp(app).GET('/api/2.0/app/shipments', { params: { query } }))
  return data.map(({ order_id: order, carrier }) => ({
    id: order,
    integration_id: id,
    title: `Order of parcel ${number}`,
    about: carrier,
  }))
}

/** In all shops of the merchant. Who is looked for stands in the body: addresses are written down on the way. */
async function byPerson(
  app: string,
  { account }: Choice,
  person: { email: string } | { name: string },
): Promise<Found[]> {
  if (!account) return []
  const params = { path: { account: account.remote_id } }
  const { data } = await ask(
    asApp(app).POST('/api/2.0/app/accounts/{account}/customers/find', { params, body: person }),
  )
  return data.shops.flatMap(({ integration_id: shop, name, newest }) =>
    newest.map(({ id, number, remote_id: remoteId }) => ({
      id,
      integration_id: shop,
      title: number ?? remoteId,
      about: name,
    })),
  )
}
