import type { Fleet } from './fleet.ts'
import type { Lab, Outcome } from './proof.ts'
import type { LedgerLine } from './shop-process.ts'
import { givenBack, oddOrders, reservedFor } from './stock-ledger.ts'
import { atOnce, type Back, copying, createPieces, naivePush, type Played, play, type Wish } from './stock-rivals.ts'
import type { Sold } from './stock-sales.ts'
import type { Settled } from './stock-settling.ts'
import { isScarce, limitScale, type Sale, type StockFigures, type StockShop } from './stock-world.ts'
import { percentile } from './until.ts'

interface Given extends Sold {
  figures: StockFigures
  shops: readonly StockShop[]
  skus: readonly string[]
  stock: readonly number[]
  end: Settled
  lab: Lab
}

/** How long each step took, in seconds. */
interface Trace {
  sale: Sale
  /** From the sale until a message of its shop came; null where none did. */
  message: number | null
  /** From the sale until its order was stored, by message or because the shop was asked. */
  stored: number
  booked: number
}

export async function judge(fleet: Fleet, given: Given): Promise<Outcome> {
  const { figures, wishes, sales, stock, end, shops } = given
  const reserved = await reservedFor(fleet, sales, shops)
  const isExact = await exactness(fleet, { sold: sales, shops })
  const back = backOf(await givenBack(sales, shops), given.began)
  const world = { stock, back, shops: shops.length }
  const traces = tracesOf(sales, shops, reserved)
  const delayOf = delaysOf(traces, shops)
  const perSecond = shops.map((shop) => shop.perSecond * limitScale)
  const bound = play(wishes, world, atOnce(stock, delayOf, perSecond))
  const copied = play(wishes, world, copying(900))
  const pushed = play(wishes, world, naivePush(shops.length, delayOf, perSecond))
  const ours = outcomeOf(wishes, sales, { stock, back })
  const told = storyOf({ ...given, back })
  const { requests, levels } = await writesOf(given)
  // The same for both: requests that change stock. Pushing naively sends one for each sale to each of the others, over the sales that were made.
  const naive = sales.length * (shops.length - 1)
  const arriving = await fleet.query<{ id: string }>(`select id from integrations where messages <> 'none'`)
  const telling = new Set(arriving.map(({ id }) => Number(id)))
  const calm = await lagsOf(fleet, given, 'calm', () => true)
  const sent = await lagsOf(fleet, given, 'calm', (id) => telling.has(id))
  const asked = await lagsOf(fleet, given, 'calm', (id) => !telling.has(id))
  const rough = await lagsOf(fleet, given, 'rough', () => true)
  const orders = (of: (one: Trace) => number, some = traces) => both(some.map(of))
  const byMessage = traces.flatMap(({ message }) => message ?? [])
  const scarce = traces.filter(({ sale }) => isScarce(sale.article))
  const inTime =
    ours.oversold.length <= bound.oversold * 1.1 &&
    ours.oversold.length <= copied.oversold / 20 &&
    requests <= naive / 2 &&
    end.seconds <= 60 &&
    percentile(calm.shown, 0.5) <= 2 &&
    percentile(calm.shown, 0.95) <= 6
  const text = [
    `${wishes.length} wishes, ${sales.length} of ${sum(stock)} pieces sold, ${ours.oversold.length} oversold (${ours.oversold.filter(({ article }) => isScarce(article)).length} of them scarce; bound ${bound.oversold}${ours.oversold.slice(0, 5).map(told).join('')}), ${back.length} came back by cancellations, ${ours.lost} buyers sent away although a piece was there`,
    `ledger ${isExact.text}`,
    end.amiss === null
      ? `all shops right, by their own records, ${end.seconds.toFixed(1)} s after the last sale (orders booked until ${end.waited.booked.toFixed(1)}, levels told until ${end.waited.told.toFixed(1)}, right until ${end.waited.shown.toFixed(1)}, followed until ${end.waited.followed.toFixed(1)})`
      : `still amiss ${Math.round(end.seconds)} s after the last sale: ${end.amiss}`,
    `calm: from the order to the new level accepted by the others ${both(calm.told)}, confirmed ${both(calm.shown)}; ${both(sent.shown)} where the shop sends messages, ${both(asked.shown)} where it has to be asked`,
    `all the time: of ${byMessage.length} orders a message came after ${both(byMessage)}, of ${traces.length - byMessage.length} none; orders were stored ${orders((one) => one.stored)} after the sale and booked ${orders((one) => one.booked)} later (of scarce articles ${orders((one) => one.stored, scarce)} and ${orders((one) => one.booked, scarce)})`,
    `in rough weather other shops were sent the new level ${both(rough.sent)} after the booking and had accepted it ${both(rough.accepted)} later`,
    `${requests} write requests (${levels} levels) against ${naive} of naive push`,
    `Played over the same wishes: copying every 15 minutes: ${say(copied)}; naive push: ${say(pushed)}; the bound: ${say(bound)}`,
  ]
  return { measured: text.join('; '), pass: isExact.pass && end.amiss === null && (!figures.timed || inTime) }
}

/** To see what happened, where it did. */
function storyOf({ skus, sales, back }: { skus: readonly string[]; sales: readonly Sale[]; back: readonly Back[] }) {
  return ({ at, shop, article }: Wish): string => {
    const before = sales.filter((sale) => sale.article === article && sale.at <= at).slice(-5)
    const returned = back.filter((one) => one.article === article).map((one) => one.at.toFixed(1))
    const sold = before.map((sale) => `${sale.shop} at ${sale.at.toFixed(1)}`)
    return `; ${skus[article]} in shop ${shop} at ${at.toFixed(1)}, last sold in ${sold.join(', ')}, came back at ${returned.join(', ') || 'no time'}`
  }
}

const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0)
const say = ({ oversold, lost, writes }: Played) => `${oversold} oversold, ${lost} sent away, ${writes} levels`
const seconds = (values: readonly number[], share: number) => `${percentile(values, share).toFixed(2)} s`
const both = (values: readonly number[]) => `${seconds(values, 0.5)} (p95 ${seconds(values, 0.95)})`

/** Sum of movements = what is available; every order once, and for one piece. */
async function exactness(
  fleet: Fleet,
  given: Parameters<typeof oddOrders>[1],
): Promise<{ pass: boolean; text: string }> {
  const broken = await fleet.query(
    `select b.article_id from stock_balances b cross join lateral (
       select coalesce(sum(on_hand_by), 0) as hand, coalesce(sum(reserved_by), 0) as held from stock_movements m
       where m.article_id = b.article_id and m.place_id = b.place_id) m
     where b.on_hand <> m.hand or b.reserved <> m.held`,
  )
  const { odd, unknown } = await oddOrders(fleet, given)
  const pass = broken.length === 0 && odd.length === 0 && unknown === 0
  const kinds = await fleet.query<{ is: string; n: string }>(
    `select o.status || ', ' || case when o.deleted_at is null then '' else 'deleted, ' end ||
       (select coalesce(string_agg(m.kind || ' ' || m.reserved_by, ', ' order by m.id), 'nothing booked') from stock_movements m
        where m.source = 'order:' || o.integration_id and m.order_id = o.id) as is, count(*) as n
     from jsonb_to_recordset($1::jsonb) r(integration_id bigint, remote_id text)
     join orders o on o.integration_id = r.integration_id and o.remote_id = r.remote_id group by 1 order by 2 desc limit 5`,
    [JSON.stringify(odd)],
  )
  const text = `off: ${broken.length} balances, ${unknown} orders that are not there, ${odd.length} that took another number than one piece, or none if cancelled (${kinds.map(({ is, n }) => `${n} × ${is}`).join('; ')})`
  return { pass, text: pass ? 'exact' : text }
}

function tracesOf(
  sales: readonly Sale[],
  shops: readonly StockShop[],
  reserved: Awaited<ReturnType<typeof reservedFor>>,
): Trace[] {
  const held = new Map(reserved.map((one) => [`${one.integration_id} ${one.remote_id}`, one]))
  return sales.flatMap((sale) => {
    const found = held.get(`${shops[sale.shop]?.id} ${sale.remoteId}`)
    if (!found || found.booked === null) return []
    const bought = sale.boughtAt / 1000
    const since = (later: string, earlier: number) => Math.max(0, Number(later) - earlier)
    const message = found.message === null ? null : since(found.message, bought)
    return [{ sale, message, stored: since(found.stored, bought), booked: since(found.booked, Number(found.stored)) }]
  })
}

/**
 * How soon anybody at all could know of a sale, which is what the lower bound and naive push are given: when the shop's message came, or when the shop had been asked for its orders,
 * if somebody did nothing else and asked it as often as its platform takes requests, whichever is sooner. Nothing of how we ask, store or book is in it. Wishes that
 * were none of our sales are told of as late as the sales of that shop mostly were.
 */
function delaysOf(traces: readonly Trace[], shops: readonly StockShop[]): (wish: Wish) => number {
  const asked = shops.map(({ perSecond }) => 1 / (perSecond * limitScale))
  const soonest = ({ sale, message }: Trace) => Math.min(message ?? Number.POSITIVE_INFINITY, asked[sale.shop] ?? 1)
  const known = new Map(traces.map((one) => [`${one.sale.at} ${one.sale.shop}`, soonest(one)]))
  const usual = shops.map((_, shop) => percentile(traces.filter(({ sale }) => sale.shop === shop).map(soonest), 0.5))
  return ({ at, shop }) => known.get(`${at} ${shop}`) ?? usual[shop] ?? 0
}

/** Times are in seconds since the first wish; all pieces of a sale come back at once, as it has one. */
const backOf = (given: ReadonlyMap<Sale, number>, began: number): Back[] =>
  [...given].map(([{ article }, at]) => ({ article, at: (at - began) / 1000 }))

/** What became of the wishes: pieces that were sold twice, and buyers who were sent away although there was one. */
function outcomeOf(
  wishes: readonly Wish[],
  sales: readonly Sale[],
  { stock, back }: { stock: readonly number[]; back: readonly Back[] },
) {
  const { there, take } = createPieces(stock, back)
  const sold = new Set(sales.map(({ at, shop }) => `${at} ${shop}`))
  const oversold: Wish[] = []
  let lost = 0
  for (const wish of wishes) {
    const pieces = there(wish)
    if (sold.has(`${wish.at} ${wish.shop}`)) {
      take(wish.article)
      if (pieces <= 0) oversold.push(wish)
    } else if (pieces > 0) lost++
  }
  return { oversold, lost }
}

/** By the shops' own ledgers: requests that changed a level, and levels that were changed. */
async function writesOf({ shops, ledgerAt }: Given): Promise<{ requests: number; levels: number }> {
  let [requests, levels] = [0, 0]
  for (const [n, { process }] of shops.entries()) {
    const effects = (await process.ledger(ledgerAt[n])).filter(
      (line): line is LedgerLine & { request: number } =>
        line.kind === 'effect' && line.operation.startsWith('inventory'),
    )
    requests += new Set(effects.map(({ request }) => request)).size
    levels += effects.length
  }
  return { requests, levels }
}

/** For each order and each other shop that was to show less for it, which where the last pieces are dealt out is none: seconds until it was sent, accepted, and seen to be shown. */
async function lagsOf(
  fleet: Fleet,
  { began, calmAt, roughAt, sales, shops, figures }: Given,
  weather: 'calm' | 'rough',
  isMeant: (integrationId: number) => boolean,
) {
  const found = await fleet.query<{
    integration_id: string
    remote_id: string
    booked: string
    sent: string
    accepted: string
    shown: string | null
  }>(
    `select m.integration_id, o.remote_id, extract(epoch from m.at) as booked, extract(epoch from min(t.sent_at)) as sent,
       extract(epoch from min(t.accepted_at)) as accepted, extract(epoch from min(t.confirmed_at)) as shown
     from stock_movements m join orders o on o.integration_id = m.integration_id and o.id = m.order_id
     join stock_links l on l.article_id = m.article_id and l.integration_id <> m.integration_id
     join stock_tellings t on t.link_id = l.id and t.sent_at >= m.at and t.accepted_at is not null
     where m.kind = 'reservation' and m.on_hand - m.reserved >= $2 and m.at >= to_timestamp($1::double precision / 1000)
     group by m.id, m.at, m.integration_id, o.remote_id, l.id`,
    [began, figures.dealBelow],
  )
  // By when it was bought, not when we booked it: what we are late with in calm weather is late.
  const isMeantAt = (at: number) => (weather === 'calm' ? at >= calmAt && at < roughAt : at >= roughAt)
  const meant = sales.filter(({ boughtAt }) => isMeantAt(boughtAt))
  const bought = new Map(meant.map((sale) => [`${shops[sale.shop]?.id} ${sale.remoteId}`, sale.boughtAt / 1000]))
  const rows = found.filter(
    (one) => isMeant(Number(one.integration_id)) && bought.has(`${one.integration_id} ${one.remote_id}`),
  )
  const sent = rows.map((one) => Number(one.sent) - Number(one.booked))
  const accepted = rows.map((one) => Number(one.accepted) - Number(one.sent))
  const sinceSale = (at: (one: (typeof rows)[number]) => string | null) =>
    rows.flatMap((one) => {
      const begun = bought.get(`${one.integration_id} ${one.remote_id}`)
      const end = at(one)
      // What nobody ever saw there counts as never.
      return begun === undefined ? [] : [end === null ? Number.POSITIVE_INFINITY : Number(end) - begun]
    })
  return {
    ...{ sent, accepted },
    told: sinceSale((one) => one.accepted),
    shown: sinceSale((one) => one.shown),
  }
}
