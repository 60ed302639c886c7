import type pg from 'pg'
import { sqlState } from '../database-away.ts'

/** Sends a statement over a connection. */
export type Ask = <Row extends pg.QueryResultRow>(
  client: pg.ClientBase,
  text: string,
  values?: readonly unknown[],
) => Promise<pg.QueryResult<Row>>

export interface PlanOptions {
  /** A pooler gives each transaction another connection: a name given on one is unknown on the next. */
  pooled: boolean
  now?: () => number
}

/** Whoever makes up new statements all the time, with a list that is sorted in every way there is, fills no more than this. */
export const maxNames = 200
const maxTexts = 1000
/** What comes once or twice is not worth a name. */
const usesUntilNamed = 3
/** Of a text that is longer, the plan costs more memory than it saves time. */
const maxTextLength = 20_000
/**
 * PostgreSQL makes a plan anew when it has looked at a table again, which may be long after the table has grown from nothing: until then it reads
 * all of a table that was empty. So a plan is gone by for a second, and each that follows twice as long, up to a minute.
 */
const minAgeMs = 1000
const maxAgeMs = 60_000

/**
 * Has statements planned once, not each time: from its third use on a connection a statement has a name there, under which
 * PostgreSQL keeps what it has parsed and, once it has found that the values make no difference, the plan. Planning is three
 * quarters of what most of our statements cost.
 */
export function planOnce({ pooled, now = Date.now }: PlanOptions): Ask {
  const kept = new WeakMap<pg.ClientBase, Named>()
  let isOff = pooled
  /** What was named in an earlier one is forgotten. */
  let era = 0

  function namesOn(client: pg.ClientBase): Named {
    const known = kept.get(client)
    if (known?.era === era) return known
    if (known) for (const text of [...known.names.keys()]) forget(client, known, text)
    const named: Named = { era, uses: new Map(), names: new Map(), next: known?.next ?? 0 }
    kept.set(client, named)
    return named
  }

  /** Undefined for a statement that is to go without. */
  function nameOf(client: pg.ClientBase, text: string): Name | undefined {
    if (isOff || text.length > maxTextLength || !isPlanned.test(text)) return undefined
    const named = namesOn(client)
    const known = named.names.get(text)
    if (known && now() - known.since < known.trustedMs) {
      // The last in the map is the one that was used last.
      named.names.delete(text)
      named.names.set(text, known)
      return known
    }
    if (!known && !isUsedEnough(named, text)) return undefined
    if (known) forget(client, named, text)
    const [longestUnused] = named.names.keys()
    if (named.names.size >= maxNames && longestUnused !== undefined) forget(client, named, longestUnused)
    const trustedMs = known ? Math.min(known.trustedMs * 2, maxAgeMs) : minAgeMs
    const made = { name: `plan-${named.next++}`, since: now(), trustedMs, isHeard: false }
    named.names.set(text, made)
    return made
  }

  return async <Row extends pg.QueryResultRow>(
    client: pg.ClientBase,
    text: string,
    values: readonly unknown[] = [],
  ) => {
    const named = nameOf(client, text)
    // As it was before the statement: the answer to one that fails comes before the new one.
    const isAlone = client.getTransactionStatus() === 'I'
    try {
      const result = await client.query<Row>({ ...(named && { name: named.name }), text, values: [...values] })
      if (named) named.isHeard = true
      return result
    } catch (error) {
      if (named === undefined || !isPlanLost(error)) throw error
      // The tables have changed under all of our connections alike, and a transaction that starts again may get another one.
      if (isStale(error)) era++
      // Of those that were sent together, the first may have failed before its name was heard.
      else if (named.isHeard || sqlState(error) === nameTaken) isOff = true
      if (!isAlone) throw error
      return await client.query<Row>(text, [...values])
    }
  }
}

/** What a connection has named. */
interface Named {
  era: number
  uses: Map<string, number>
  /** By text, those that were used longest ago first. */
  names: Map<string, Name>
  next: number
}

interface Name {
  name: string
  since: number
  trustedMs: number
  /** The server has answered to it. */
  isHeard: boolean
}

const isPlanned = /^\s*(select|with|insert|update|delete|merge)\b/i

function isUsedEnough({ uses }: Named, text: string): boolean {
  const count = (uses.get(text) ?? 0) + 1
  if (uses.size >= maxTexts) uses.clear()
  uses.set(text, count)
  return count >= usesUntilNamed
}

/** Told to the server together with the statement that comes next. A failed transaction, in which nothing else is heard, hears it. */
function forget(client: pg.ClientBase, { names }: Named, text: string): void {
  const known = names.get(text)
  if (!known) return
  names.delete(text)
  const { connection } = client as unknown as Naming
  connection.close({ type: 'S', name: known.name })
  delete connection.parsedStatements[known.name]
}

/** What the driver's types leave out. */
interface Naming {
  connection: { close(what: { type: 'S'; name: string }): void; parsedStatements: Record<string, string> }
}

/** Nothing was done: neither by the statement nor, if it was in one, by its transaction, which may be started again. */
export const isPlanLost = (error: unknown): boolean => isStale(error) || isUnknown(error)

/** The tables are no longer those that the statement was planned for. */
const isStale = (error: unknown): boolean =>
  sqlState(error) === '0A000' && error instanceof Error && error.message.startsWith('cached plan must not change')

const nameTaken = '42P05'

/** The name is not known, or known already: somebody stands in between who gives us one server connection after the other. */
function isUnknown(error: unknown): boolean {
  const state = sqlState(error)
  return state === '26000' || state === nameTaken
}
