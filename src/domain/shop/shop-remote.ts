import { randomUUID } from 'node:crypto'
import { typedForm } from '../../commerce/capabilities.ts'
import type { AnswerReading } from '../../commerce/connector/remote-rules.ts'
import type { Connector } from '../../commerce/connector.ts'
import { connectorFor, type Described } from '../../commerce/connectors.ts'
import {
  credentialsRefused,
  type Remote,
  type RemoteAnswer,
  type RemoteRequest,
  refused,
  shopAway,
} from '../../commerce/remote.ts'
import { type MissingRight, rightsMissing } from '../../commerce/rules/rights.ts'
import { withShopWords } from '../../commerce/rules/shop-words.ts'
import type { AnyFields, Shop, ShopFacts } from '../../commerce/shop.ts'
import { say } from '../../commerce/words/say.ts'
import { type Fault, invalidField } from '../../lib/fault.ts'
import { neverSent } from '../../runtime/egress/egress-faults.ts'
import type { ShopBudget } from '../budgets/shop-budget.ts'
import type { Context } from '../context.ts'
import { withCeilings } from './ceilings.ts'

export { factsOf } from '../../commerce/rules/shop-facts.ts'

/** A service without a connector is a record like any other, but nothing can be run on it. */
export function connectorOf(context: Pick<Context, 'connectors'>, service: Described): Connector {
  const connector = connectorFor(context.connectors, service)
  if (!connector) throw invalidField('type', 'The selected type is invalid.')
  return withCeilings(connector)
}

export const shopWith = (
  context: Pick<Context, 'transport'>,
  connector: Connector,
  facts: ShopFacts,
  credentials: AnyFields,
): Shop => ({ ...facts, credentials, remote: remoteFor(context, connector, facts, credentials) })

/** A platform that is too busy may be asked so often in all, if it does not want us to wait for long. */
const maxAttempts = 3

/**
 * Without credentials: for the exchange that is to bring some. Without a budget: for the few questions of an
 * installation.
 */
export function remoteFor(
  { transport }: Pick<Context, 'transport'>,
  connector: Connector,
  facts: ShopFacts,
  credentials: AnyFields | null,
  budget: ShopBudget | null = null,
  /** Told what answers lack because the credentials may not see it. */
  onWithheld: (right: MissingRight) => Promise<void> = async () => {},
): Remote {
  const { remote } = connector
  return {
    async request(given) {
      const asked = remote.route?.(given, facts) ?? given
      const url = addressFor(connector, facts, asked)
      const anonymous = credentials === null || asked.anonymous === true || asked.origin === downloads
      const signed = () =>
        anonymous
          ? asked
          : remote.authenticate(asked, credentials, facts, {
              url,
              seconds: Math.floor(Date.now() / 1000),
              nonce: randomUUID(),
            })
      const judged = (answer: RemoteAnswer) => judge(connector, answer, { asked, credentials })
      const inside = remote.inProcess?.(signed(), facts)
      if (inside) return rejectedAnswer(judged(await inside))
      // A budget may be what the request waits for: signatures are made when it goes out.
      for (let attempt = 1; ; attempt++) {
        await budget?.pay(asked)
        const { answer, reading, verdict, waitSeconds } = judged(await transport({ url, request: signed() }))
        if (reading?.budget) await budget?.learn(reading.budget)
        if (reading?.withheld) await onWithheld(reading.withheld)
        if (verdict === 'ok') {
          await budget?.resume()
          return answer
        }
        if (verdict === 'away') {
          // A shop that is down and says for how long is left alone by all of us, but for people who look for themselves.
          if (waitSeconds !== null) await budget?.pause(asked, waitSeconds)
          throw awayWith(answer, waitSeconds)
        }
        const seconds = (await budget?.block(asked, waitSeconds)) ?? waitSeconds ?? standardDelay
        if (!budget || attempt >= maxAttempts) throw neverSent(shopAway(Math.ceil(seconds)))
      }
    },
  }
}

const downloads = 'download'

/** Only hosts that the connector names: by itself, or among those whose files it may fetch. */
function addressFor({ remote }: Connector, facts: ShopFacts, { origin: name, path }: RemoteRequest): string {
  if (name === undefined) return addressOf(remote.origin(facts), path)
  if (name === downloads) return downloadAddress(remote.downloads ?? [], path)
  const origin = remote.origins?.[name]
  if (!origin) throw new TypeError(`There is no origin "${name}".`)
  return addressOf(origin(facts), path)
}

function downloadAddress(hosts: readonly string[], address: string): string {
  const { protocol, hostname, href, username } = new URL(address)
  const isListed = hosts.some((host) => (host.startsWith('.') ? hostname.endsWith(host) : hostname === host))
  if (protocol !== 'https:' || username !== '' || !isListed) {
    throw refused(say('foreign_file'))
  }
  return href
}

/** The path joined to the origin. A path that leads to another host is a bug or an attack, never a request. */
function addressOf(origin: string, path: string): string {
  const base = new URL(origin)
  const address = path.startsWith('/') && !path.startsWith('//') ? new URL(origin + path) : null
  if (address?.host !== base.host || address.protocol !== base.protocol || address.username !== base.username) {
    throw invalidField('path', 'The path field format is invalid.')
  }
  return address.href
}

interface Judged {
  answer: RemoteAnswer
  reading: AnswerReading | undefined
  /** `throttled`: too many requests, this one was turned away. */
  verdict: 'ok' | 'throttled' | 'away'
  /** When to come back, in seconds; null where the platform names no time. */
  waitSeconds: number | null
}

/** What is turned away at the door has changed nothing, so it counts as never sent. */
function judge(
  { remote, auth }: Connector,
  answer: RemoteAnswer,
  { asked, credentials }: { asked: RemoteRequest; credentials: AnyFields | null },
): Judged {
  const reading = remote.read?.(answer, asked)
  if (reading?.missingRight) throw neverSent(rightsMissing([reading.missingRight], answer.body))
  if (reading?.verdict === 'unauthorized' || answer.status === 401) {
    const typed = Object.keys(typedForm({ auth })?.properties ?? {})
    throw neverSent(
      credentialsRefused(
        typed.filter((name) => credentials !== null && Object.hasOwn(credentials, name)),
        undefined,
        answer.body,
      ),
    )
  }
  const throttled = reading?.verdict === 'throttled' || answer.status === 429
  const away = reading?.verdict === 'away' || (answer.status >= 500 && reading?.verdict !== 'ok')
  const told = reading?.retryAfterSeconds ?? retryAfter(answer)
  const waitSeconds = told !== null && away && !throttled ? Math.min(maxAwaySeconds, told) : told
  return { answer, reading, verdict: throttled ? 'throttled' : away ? 'away' : 'ok', waitSeconds }
}

const standardDelay = 30

/** Shops under maintenance name ten minutes for what takes five seconds: none is left alone for longer than this. */
const maxAwaySeconds = 30

/** What the shop says is what whoever waits for it should know. */
function awayWith({ status, body }: RemoteAnswer, waitSeconds: number | null): Fault {
  const said = typeof body === 'string' ? body : (JSON.stringify(body) ?? '')
  const isMaintained = status === 503 && /maintenance/i.test(said.slice(0, 20_000))
  const sentence = isMaintained ? say('maintenance') : status >= 500 ? say('failed_with', { status }) : say('busy')
  return shopAway(waitSeconds ?? standardDelay, undefined, withShopWords(sentence, body))
}

function retryAfter({ headers }: RemoteAnswer): number | null {
  const seconds = Number(headers['retry-after'])
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(3600, Math.ceil(seconds)) : null
}

/** A shop in this process has no budget to wait for. */
function rejectedAnswer({ answer, verdict, waitSeconds }: Judged): RemoteAnswer {
  if (verdict === 'ok') return answer
  const fault = awayWith(answer, waitSeconds)
  throw verdict === 'throttled' ? neverSent(fault) : fault
}
