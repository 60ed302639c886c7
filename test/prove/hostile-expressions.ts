import { customConnector } from '../../src/connectors/custom/index.ts'
import { parseInPieces } from '../../src/lib/foreign/parse-in-pieces.ts'
import { type Fleet, type Merchant, withFleet } from './support/fleet.ts'
import {
  described,
  type HostilePage,
  hostileExpressions,
  hostilePages,
  startHostilePages,
} from './support/hostile-descriptions.ts'
import { proof } from './support/proof.ts'
import { type Sent, steadyLoad } from './support/steady-load.ts'
import { percentile } from './support/until.ts'

/** As deep as answers of shops may be. */
const maxDepth = 64
const facts = { shop: 'hostile.example', settings: {} }

/** What strangers describe, and what their shops send, holds nobody else up. */
export const hostileDescriptions = proof({
  name: 'hostile-expressions',
  asked:
    'expressions that double, sort, join and compare without end, at every place of a description, on records with thousands of rows, 50,000 levels deep or of 10 MB: each record read or refused within 50 ms; tried over the API by one tenant on three connections while another lists: 0 × 500, none of the other’s requests refused, /live ≤ 250 ms',
  full: { seconds: 4, holdMs: 50, liveMs: 250, times: 3 },
  // How long it takes is no matter of a test.
  quick: { seconds: 0.2, holdMs: Number.POSITIVE_INFINITY, liveMs: Number.POSITIVE_INFINITY, times: 1 },
  async run({ seconds, holdMs, liveMs, times }, lab) {
    lab.progress('reading records')
    const held = await longestHold(times)
    lab.progress('trying over the API')
    const shop = await startHostilePages()
    try {
      const tried = await withFleet(await lab.database('migrated'), (fleet) => besides(fleet, shop, seconds), {
        ENTREPOT_ROLE: 'all',
      })
      const { answers, refused, alone, under } = tried
      const failed = answers.filter((status) => status >= 500).length
      return {
        measured: `${hostileExpressions.length} expressions × ${Object.keys(hostilePages).length} kinds of records: ${held.read} read, ${held.refused} refused, the longest after ${held.ms.toFixed(0)} ms (${held.what}); ${answers.length} trials, ${failed} × 500; the other’s requests: ${refused} refused, p99 ${under.p99Ms} ms (alone ${alone.p99Ms}), /live at most ${under.liveMs} ms (alone ${alone.liveMs}), with ${under.worst}`,
        pass:
          held.ms <= holdMs &&
          failed === 0 &&
          answers.length > 0 &&
          held.refused > 0 &&
          held.read > 0 &&
          refused === 0 &&
          under.liveMs <= liveMs,
      }
    } finally {
      await shop.close()
    }
  },
})

/**
 * Without anything around it. Of several attempts the shortest counts: the machine has other things to do. Translating is
 * pure: a page is read once for all expressions.
 */
async function longestHold(times: number) {
  const longest = { ms: 0, what: '', read: 0, refused: 0 }
  const connectors = hostileExpressions.map((select) => ({
    select,
    orders: customConnector('hostile', described(select))?.orders,
  }))
  for (const [name, page] of Object.entries(hostilePages)) {
    const raw = await firstOf(page())
    for (const { select, orders } of connectors) {
      const attempts: { ms: number; isRead: boolean }[] = []
      while (attempts.length < times) {
        const begun = performance.now()
        const isRead = raw !== undefined && attempt(() => orders?.translate(raw, facts))
        attempts.push({ ms: performance.now() - begun, isRead })
      }
      const ms = Math.min(...attempts.map((one) => one.ms))
      if (attempts[0]?.isRead) longest.read += 1
      else longest.refused += 1
      if (ms > longest.ms) Object.assign(longest, { ms, what: `${select.slice(0, 40)} on ${name}` })
    }
  }
  return longest
}

/** As it comes in by the way that all answers of shops take, where some are refused already. */
async function firstOf(text: string): Promise<unknown> {
  try {
    return Object(await parseInPieces(text, maxDepth)).data[0]
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function attempt(work: () => unknown): boolean {
  try {
    work()
    return true
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return false
    throw error
  }
}

interface Calm {
  p99Ms: number
  liveMs: number
}

async function besides(fleet: Fleet, shop: HostilePage, seconds: number) {
  const [calm, hostile] = [await fleet.makeMerchant(), await fleet.makeMerchant()]
  await listing(fleet, calm, async () => await waited(seconds))
  const alone = await listing(fleet, calm, async () => await waited(seconds * 2))
  const answers: number[] = []
  const loads: { name: string; sent: Sent[] }[] = []
  for (const name of Object.keys(hostilePages)) {
    shop.show(name)
    const { sent } = await listing(fleet, calm, () => torment(fleet, hostile, { shop, seconds, answers }))
    loads.push({ name, sent })
  }
  const all = loads.flatMap(({ sent }) => sent)
  const [worst] = loads.toSorted((a, b) => figures(b.sent).liveMs - figures(a.sent).liveMs)
  return {
    answers,
    refused: all.filter(({ status }) => status !== 200).length,
    alone: figures(alone.sent),
    under: { ...figures(all), worst: worst?.name ?? '' },
  }
}

const waited = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))

const figures = (sent: readonly Sent[]): Calm => {
  const times = (path: string) =>
    sent.flatMap(({ what, sentAt, answeredAt }) => (what.endsWith(path) ? [answeredAt - sentAt] : []))
  return {
    p99Ms: Math.round(percentile(times('/accounts'), 0.99)),
    liveMs: Math.round(Math.max(...times('/live'))),
  }
}

async function listing(fleet: Fleet, { appToken: token }: Merchant, work: () => Promise<unknown>) {
  const { url } = fleet.api
  const loads = [
    steadyLoad({ perSecond: 20, next: () => ({ url: `${url}/live` }) }),
    steadyLoad({ perSecond: 20, next: () => ({ url: `${url}/api/2.0/app/accounts`, token }) }),
  ]
  await work()
  await Promise.all(loads.map((load) => load.stop()))
  return { sent: loads.flatMap(({ sent }) => [...sent]) }
}

/** One expression after the other, on three connections, until the time is over and each was tried once. */
async function torment(
  fleet: Fleet,
  { userToken: token }: Merchant,
  { shop, seconds, answers }: { shop: HostilePage; seconds: number; answers: number[] },
): Promise<void> {
  const until = performance.now() + seconds * 1000
  let next = 0
  const url = `${fleet.api.url}/api/2.0/user/services/try`
  const settings = { base_url: shop.url }
  const loop = async () => {
    while (next < 3 || performance.now() < until) {
      const select = hostileExpressions[next++ % hostileExpressions.length] ?? ''
      const body = { definition: described(select), settings, whole: next % 2 === 0 }
      const { status } = await fleet.http.call(url, { method: 'POST', token, body })
      answers.push(status)
    }
  }
  await Promise.all([loop(), loop(), loop()])
}
