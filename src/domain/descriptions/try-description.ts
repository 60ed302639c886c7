import type { Connector } from '../../commerce/connector.ts'
import { readDefinition } from '../../commerce/definition/check-definition.ts'
import type { Definition } from '../../commerce/definition/definition.ts'
import { type Suggestion, suggestFormat, suggestPlaces } from '../../commerce/definition/suggest-places.ts'
import type { AnyFields, Shop } from '../../commerce/shop.ts'
import { type FieldErrors, invalidField } from '../../lib/fault.ts'
import type { Context } from '../context.ts'
import { checkShopInput, checkTyped } from '../integrations/check-install-input.ts'
import { shopWith } from '../shop/open-remote.ts'
import { sampleDefinition } from './sample-definition.ts'
import { type PartReport, reportOf, tryPart } from './try-part.ts'
import { type PartName, partNames, type Step, stepFailed, stepOk, trying } from './try-step.ts'
import { tryWrites } from './try-writes.ts'
import { type WatchedRequest, watchTransport } from './watched-remote.ts'

export interface Trial {
  definition: AnyFields
  shop?: string | null | undefined
  settings?: AnyFields | undefined
  credentials?: AnyFields | null | undefined
  /** One record of the shop: read as the definition says, without asking anybody. */
  record?: AnyFields | null | undefined
  /** Which part is shown; all that are there by default. */
  part?: PartName | undefined
  /** Whether everything is gone through: all pages, what has changed, single records, and what would be sent. */
  whole?: boolean | undefined
}

export interface TrialReport {
  /** Whether it could be published as it is. */
  ok: boolean
  mistakes: readonly { at: string; messages: readonly string[] }[]
  steps: readonly Step[]
  samples: readonly PartReport[]
  suggestions: readonly (Suggestion & { part: PartName })[]
  suggestedFormat: { time: string } | null
  requests: readonly WatchedRequest[]
}

/** Goes through a description as a sync would, against the shop itself. Nothing is stored, and nothing is changed there. */
export async function tryDescription(
  context: Pick<Context, 'connectors' | 'transport'>,
  { holder, trial }: { holder: string; trial: Trial },
): Promise<TrialReport> {
  const read = readDefinition(trial.definition)
  const watched = watchTransport(context.transport, holder)
  const parts = trial.part === undefined ? partNames.filter((name) => trial.definition[name] != null) : [trial.part]
  const way = { ...context, transport: watched.transport }
  const tried = read.definition
    ? await tryWhole(way, read.definition, trial, parts)
    : await trySamples(way, trial, parts)
  const samples = tried.parts
  return {
    ok:
      read.errors === null &&
      tried.steps.every(({ state }) => state !== 'failed') &&
      samples.every(({ error }) => error === null),
    mistakes: mistakesIn(read.errors ?? {}),
    steps: [definitionStep(read.errors), ...tried.steps.map((step) => withoutSecrets(step, trial.credentials ?? {}))],
    samples,
    suggestions: samples.flatMap(({ part, theirs }) => suggestPlaces(part, theirs).map((one) => ({ ...one, part }))),
    suggestedFormat: suggestFormat(samples[0]?.theirs),
    requests: watched.requests,
  }
}

/** A shop may repeat in its reasons what it was sent. */
const withoutSecrets = (step: Step, secrets: AnyFields): Step => ({
  ...step,
  words: Object.values(secrets).reduce<string>(
    (words, secret) => (typeof secret === 'string' && secret.length >= 4 ? words.replaceAll(secret, '•••') : words),
    step.words,
  ),
})

const mistakesIn = (errors: FieldErrors) => Object.entries(errors).map(([at, messages]) => ({ at, messages }))

const definitionStep = (errors: FieldErrors | null): Step => {
  const count = Object.keys(errors ?? {}).length
  return count === 0
    ? stepOk('description', null, 'The description is complete.')
    : stepFailed('description', null, count === 1 ? 'There is one mistake.' : `There are ${count} mistakes.`)
}

interface Tried {
  steps: Step[]
  parts: PartReport[]
}

type Way = Pick<Context, 'connectors' | 'transport'>

/** A shop that is opened as an installation would open it; faults about what was typed are for whoever typed it. */
function opened(way: Way, connector: Connector, { origin }: Definition, trial: Trial): Shop {
  if (origin.from === 'shop' && !trial.shop) throw invalidField('shop', 'The shop field is required.')
  const { shop, settings } = checkShopInput(connector, {
    shop: trial.shop ?? hostIn(trial.settings) ?? 'shop.invalid',
    settings: trial.settings ?? {},
  })
  const facts = { shop, settings }
  return shopWith(way, connector, facts, checkTyped(connector, trial.credentials ?? {}, facts))
}

/** Where keys only fetch what opens the shop, they do so for the length of the trial. */
async function withToken(way: Way, connector: Connector, shop: Shop): Promise<Shop> {
  const { auth } = connector
  if (auth.kind !== 'keys' || !auth.open) return shop
  const { credentials } = await auth.open(shop)
  return shopWith(way, connector, shop, credentials)
}

/** Where the address is a setting, the name of the shop is only what people call it. */
function hostIn(settings: AnyFields | undefined): string | null {
  const address = settings?.['base_url']
  if (typeof address !== 'string' || !URL.canParse(address)) return null
  const { hostname } = new URL(address)
  return /[a-z]/i.test(hostname) && hostname.includes('.') ? hostname : null
}

/** Nobody goes through a browser for a trial: a token that somebody fetched by hand stands for the one that would come. */
const opensTrial = ({ auth }: Definition): Definition['auth'] =>
  auth.kind === 'authorization_code' ? { kind: 'bearer' } : auth

function connectorOfTrial({ connectors }: Way, definition: Definition): Connector {
  const connector = connectors.define?.('trial', { ...definition, auth: opensTrial(definition) })
  if (!connector) throw invalidField('definition', 'The definition field format is invalid.')
  return connector
}

async function tryWhole(way: Way, definition: Definition, trial: Trial, parts: readonly PartName[]): Promise<Tried> {
  const connector = connectorOfTrial(way, definition)
  const { record } = trial
  if (record != null) {
    return { steps: [], parts: parts.slice(0, 1).map((part) => reportOf(connector, definition, part, record)) }
  }
  let shop = opened(way, connector, definition, trial)
  const access = await trying('access', null, async () => {
    shop = await withToken(way, connector, shop)
    await connector.auth.checkAccess(shop)
    return 'The shop lets us in.'
  })
  if (access.state === 'failed') return { steps: [access], parts: [] }
  const tried: Tried = { steps: [access], parts: [] }
  for (const part of parts) {
    const one = await tryPart(connector, { shop, definition, part, whole: trial.whole === true })
    tried.steps.push(...one.steps)
    if (one.report) tried.parts.push(one.report)
  }
  if (trial.whole) tried.steps.push(...(await tryWrites(connector, definition, shop, tried.parts)))
  return tried
}

/** The description is not complete yet: what can be fetched is shown all the same, so that the rest can be filled in. */
async function trySamples(way: Way, trial: Trial, parts: readonly PartName[]): Promise<Tried> {
  const tried: Tried = { steps: [], parts: [] }
  for (const part of parts) {
    if (trial.record != null) {
      tried.parts.push(rawReport(part, trial.record))
      continue
    }
    const definition = sampleDefinition(trial.definition, part)
    if (!definition) continue
    const connector = connectorOfTrial(way, definition)
    const reads = connector.products
    const done = await trying('first page', part, async () => {
      const shop = await withToken(way, connector, opened(way, connector, definition, trial))
      const page = await reads?.list(shop, {
        updatedSince: null,
        statuses: [],
        cursor: null,
        limit: 5,
      })
      const [first] = page?.items ?? []
      if (first === undefined) return 'The list is empty.'
      tried.parts.push(rawReport(part, first))
      return `The first page has ${page?.items.length} records.`
    })
    tried.steps.push(done)
  }
  return tried
}

const rawReport = (part: PartName, theirs: unknown): PartReport => ({
  ...{ part, theirs, ours: null, error: null, fields: [] },
})
