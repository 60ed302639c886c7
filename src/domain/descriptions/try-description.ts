import type { Connector } from '../../commerce/connector.ts'
import { readDefinition } from '../../commerce/definition/check-definition.ts'
import type { Definition } from '../../commerce/definition/definition.ts'
import { placeName } from '../../commerce/definition/place.ts'
import { listIn } from '../../commerce/definition/suggest-list.ts'
import { type Suggestion, suggestFormat } from '../../commerce/definition/suggest-places.ts'
import { type SeenPage, suggestAll } from '../../commerce/definition/suggest-rest.ts'
import { valueIn } from '../../commerce/definition/value-in.ts'
import { refused } from '../../commerce/remote.ts'
import type { AnyFields, Shop } from '../../commerce/shop.ts'
import { type FieldErrors, invalidField } from '../../lib/fault.ts'
import { nextInLine } from '../../lib/turns/turns.ts'
import type { Context } from '../context.ts'
import { checkShopInput, checkTyped } from '../integrations/check-install-input.ts'
import { shopWith } from '../shop/open-remote.ts'
import { answerDefinition, sampleDefinition } from './sample-definition.ts'
import { shownRecord, sizeOf } from './shown-record.ts'
import { type PartReport, reportOf, sampleSize, tryPart } from './try-part.ts'
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
  suggestions: readonly (Suggestion & { part: PartName; at: string; value: unknown })[]
  suggestedFormat: { time: string } | null
  requests: readonly WatchedRequest[]
}

/** Goes through a description as a sync would, against the shop itself. Nothing is stored, and nothing is changed there. */
export async function tryDescription(
  context: Pick<Context, 'connectors' | 'transport'>,
  { holder, trial }: { holder: string; trial: Trial },
): Promise<TrialReport> {
  checkRecord(trial.record)
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
    suggestions: await suggestionsOf(trial.definition, tried.pages),
    suggestedFormat: suggestFormat(samples[0]?.theirs),
    requests: watched.requests,
  }
}

/** A record that a description could not read is refused where it was typed. */
function checkRecord(record: unknown): void {
  if (sizeOf(record, { characters: Number.POSITIVE_INFINITY }) === null)
    throw invalidField('record', 'The record field is too large to be read by a description.')
}

const maxValues = 20_000

/** As many of the records as can be gone through in one turn. */
function someOf(records: readonly unknown[]): unknown[] {
  let left = maxValues
  return records.filter((record) => {
    const size = left > 0 ? sizeOf(record) : null
    left -= size ?? 0
    return size !== null && left >= 0
  })
}

async function suggestionsOf(written: AnyFields, pages: readonly SeenPage[]): Promise<TrialReport['suggestions']> {
  const all: TrialReport['suggestions'][number][] = []
  for (const page of pages) {
    await nextInLine()
    const found = suggestAll(written, { ...page, records: someOf(page.records) })
    all.push(...found.map((one) => asSuggested(page, one)))
  }
  return all
}

const asSuggested = ({ part }: SeenPage, { field, place, example, certainty, at, value }: Suggestion) => ({
  ...{ part, field, place, example, certainty },
  at: at ?? `${part}.${field}`,
  value: value ?? place,
})

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
  /** What was read, to suggest from. */
  pages: SeenPage[]
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
    const [part] = parts
    if (part === undefined) return { steps: [], parts: [], pages: [] }
    return {
      steps: [],
      parts: [reportOf(connector, definition, part, record)],
      pages: [{ part, records: [record] }],
    }
  }
  let shop = opened(way, connector, definition, trial)
  const access = await trying('access', null, async () => {
    shop = await withToken(way, connector, shop)
    await connector.auth.checkAccess(shop)
    return 'The shop lets us in.'
  })
  if (access.state === 'failed') return { steps: [access], parts: [], pages: [] }
  const tried: Tried = { steps: [access], parts: [], pages: [] }
  for (const part of parts) {
    const one = await tryPart(connector, { shop, definition, part, whole: trial.whole === true })
    tried.steps.push(...one.steps)
    if (one.report) tried.parts.push(one.report)
    if (one.records.length > 0) tried.pages.push({ part, records: one.records })
  }
  if (trial.whole) tried.steps.push(...(await tryWrites(connector, definition, shop, tried.parts)))
  return tried
}

/** The description is not complete yet: what can be fetched is shown all the same, so that the rest can be filled in. */
async function trySamples(way: Way, trial: Trial, parts: readonly PartName[]): Promise<Tried> {
  const tried: Tried = { steps: [], parts: [], pages: [] }
  for (const part of parts) {
    if (trial.record != null) {
      tried.parts.push(rawReport(part, trial.record))
      tried.pages.push({ part, records: [trial.record] })
      continue
    }
    const definition = sampleDefinition(trial.definition, part)
    if (!definition) continue
    const done = await trying('first page', part, async () => {
      const page = await firstPage(way, trial, definition)
      const [first] = page.records
      if (first === undefined) return 'The list is empty.'
      tried.parts.push(rawReport(part, first))
      tried.pages.push({ part, ...page })
      return `The first page has ${page.records.length === 1 ? 'one record' : `${page.records.length} records`}.`
    })
    tried.steps.push(done)
  }
  return tried
}

/** As the description says; where that leads to no list, wherever the answer has one. */
async function firstPage(way: Way, trial: Trial, definition: Definition): Promise<Omit<SeenPage, 'part'>> {
  const read = async (described: Definition) => {
    const connector = connectorOfTrial(way, described)
    const shop = await withToken(way, connector, opened(way, connector, described, trial))
    const question = { updatedSince: null, statuses: [], cursor: null, limit: sampleSize }
    return (await connector.products?.list(shop, question))?.items ?? []
  }
  const whole = answerDefinition(definition)
  const body = whole === null ? undefined : await answerOf(() => read(whole))
  if (body === undefined) return { records: (await read(definition)).slice(0, sampleSize) }
  const { path, records } = listIn(body) ?? { path: '', records: [] }
  const [named, items] = [definition.products?.list.items, path === '' ? 'the answer itself' : path]
  const given = named === undefined ? null : valueIn(body, named)
  if (Array.isArray(given)) return { records: given.slice(0, sampleSize), body }
  if (named !== undefined && records.length > 0)
    throw refused(`The shop's answer has no list at "${placeName(named)}". It has one at "${items}".`)
  if (listIn(body) === undefined) throw refused("The shop's answer has no list.")
  return { records: records.slice(0, sampleSize), body }
}

/** Undefined where it is too large to be looked at as one record: its list then has to be where the description says. */
async function answerOf(read: () => Promise<readonly unknown[]>): Promise<unknown> {
  try {
    return (await read())[0]
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

const rawReport = (part: PartName, theirs: unknown): PartReport => ({
  ...{ part, theirs: shownRecord(theirs), ours: null, error: null, fields: [] },
})
