import fc from 'fast-check'
import { sql } from 'kysely'
import { endpoints } from '../../src/api/index.ts'
import type { Db } from '../../src/runtime/db/connection.ts'
import type { Endpoint } from '../../src/runtime/http/endpoint.ts'
import type { ListOptions } from '../../src/runtime/http/input/list-query.ts'
import { names, populate } from '../support/populate.ts'
import { makeSiblingAccount, makeSiblingApp, startTestServer, type TestServer } from '../support/server.ts'
import { callAs, makeWorld, nameOf, type World } from '../support/world.ts'
import { proof } from './support/proof.ts'

/** No filter, sort, include or page tells whether there is anything beside what is one's own. */
export const listOracle = proof({
  name: 'list-oracle',
  asked: '2,000 generated list queries with and without foreign rows present: identical answers',
  full: { queries: 2000, rows: 40 },
  // More of them are a test of their own (test/list-oracle.test.ts).
  quick: { queries: 40, rows: 5 },
  async run({ queries, rows }, lab) {
    const server = await startTestServer({ databaseUrl: await lab.database('migrated') })
    try {
      const { compared, answered, differences } = await askTwice(server, { queries, rows, progress: lab.progress })
      return {
        measured: `${queries} queries, ${answered} of them answered with rows; ${compared} comparisons, ${differences.length} differences${differences.length > 0 ? `: ${differences.slice(0, 3).join('; ')}` : ''}`,
        pass: differences.length === 0 && answered > queries / 4,
      }
    } finally {
      await server.close()
    }
  },
})

interface Question {
  endpoint: Endpoint
  search: string
}

export async function askTwice(
  server: TestServer,
  options: { queries: number; rows: number; progress?: (text: string, done: number, all: number) => void },
) {
  const { context } = server
  const { db } = context
  // Own ids lie between those of foreign rows, so that none comes first or last by accident.
  await moveSequences(db, 10_000)
  const own = await makeWorld(server)
  await populate(context, own, options.rows)
  const questions = fc.sample(questionsOf(own), { numRuns: options.queries, seed: 20_261_115 })
  const ask = async ({ endpoint, search }: Question) => {
    const { status, text, json } = await callAs(server, own, endpoint, { search })
    return { status, text, filled: Array.isArray(json['data']) && json['data'].length > 0 }
  }
  const differences: string[] = []
  const alone: Awaited<ReturnType<typeof ask>>[] = []
  for (const question of questions) {
    const answer = await ask(question)
    if (![200, 400].includes(answer.status))
      differences.push(`${nameOf(question.endpoint)}${question.search}: ${answer.status}`)
    alone.push(answer)
  }
  let compared = 0
  async function compare(who: string, isForeignTo: (endpoint: Endpoint) => boolean) {
    for (const [index, question] of questions.entries()) {
      if (!isForeignTo(question.endpoint)) continue
      compared++
      options.progress?.(who, index + 1, questions.length)
      const [before, after] = [alone[index], await ask(question)]
      if (before?.status === after.status && before.text === after.text) continue
      const { endpoint, search } = question
      differences.push(
        `${nameOf(endpoint)}${search} beside ${who}: ${before?.text.slice(0, 100)} → ${after.text.slice(0, 100)}`,
      )
    }
  }
  const addForeign = async (world: World) => await populate(context, world, options.rows)

  await moveSequences(db, 0)
  await addForeign(await makeWorld(server))
  await moveSequences(db, 20_000)
  await addForeign(await makeWorld(server))
  await compare('other companies', () => true)
  await addForeign(await makeWorld(server, await makeSiblingApp(context, own.tenant)))
  await compare('another app of the company', ({ group }) => group.caller === 'client' || group.caller === 'account')
  // An app may have twenty, of which its accounts see nothing: room for the next one.
  await db.deleteFrom('alert_channels').where('app_id', '=', own.tenant.appId).execute()
  await addForeign(await makeWorld(server, await makeSiblingAccount(context, own.tenant)))
  await compare('another account of the app', ({ group, path }) => group.caller === 'account' && !/services/.test(path))
  return { compared, differences, answered: alone.filter(({ filled }) => filled).length }
}

/** The next ids of all tables begin above `start`. */
async function moveSequences(db: Db, start: number): Promise<void> {
  const catalogue = 100
  await sql`select setval(format('%I.%I', schemaname, sequencename)::regclass, ${start + catalogue})
    from pg_sequences where schemaname = 'public'`.execute(db)
}

const lists = endpoints.filter(
  ({ method, query, group }) => method === 'GET' && query !== undefined && 'list' in query && group.caller !== null,
)

function questionsOf(own: World): fc.Arbitrary<Question> {
  return fc.constantFrom(...lists).chain((endpoint) => {
    const query = endpoint.query as ListOptions
    return fc
      .tuple(filters(query.filter, own), sorts(query.sort), includes(query.include), pages)
      .map((parts) => ({ endpoint, search: `?${parts.flat().map(encodePair).join('&')}` }))
  })
}

type Pair = [string, string]
const encodePair = ([name, value]: Pair) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`

/** Mostly one parameter or none, as people ask. */
const sometimes = (pair: fc.Arbitrary<Pair>, freq = 2): fc.Arbitrary<Pair[]> =>
  fc.option(pair, { freq }).map((value) => (value ? [value] : []))

function filters(fields: readonly string[], own: World): fc.Arbitrary<Pair[]> {
  const one = (field: string) =>
    sometimes(
      fc
        .tuple(fc.array(valuesOf(field, own), { minLength: 1, maxLength: 3 }), fc.boolean())
        .map(([values, bracketed]): Pair => [bracketed ? `filter[${field}]` : field, values.join(',')]),
      1,
    )
  const unknown = fc.oneof(
    { weight: 9, arbitrary: fc.constant<Pair[]>([]) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Pair[]>([['filter[secret]', '1']], [['deleted_at', 'x']], [['user_id', '2']]),
    },
  )
  return fc.tuple(...fields.map(one), unknown).map((pairs) => pairs.flat())
}

/** Own values, foreign ones (their ids are known in advance, by where their sequences start) and nonsense. */
function valuesOf(field: string, own: World): fc.Arbitrary<string> {
  const near = [101, 102, 105, 110, 10_101, 10_105, 10_110, 20_101, 20_105]
  const known: Record<string, readonly (string | number)[]> = {
    status: ['ACTIVE', 'ERROR', 'PENDING', 'SHIPPED', 'completed', 'failed'],
    active: ['true', 'false', '1', '0', 'maybe'],
    acknowledged: ['all', 'true', 'false'],
    sandbox: ['true', 'false'],
    type: ['sandbox', 'manual', 'schedule', `${own.canary}-1`, own.canary],
    auth_type: ['basic', 'none', 'api_key'],
    resource: ['sync_orders', 'sync_products'],
    level: ['info', 'error'],
    event: ['event.1', 'event.2', 'integration.created'],
    number: ['#1', '#2'],
    sku: ['sku-1', 'sku-2'],
    remote_id: [`${own.canary}1`, `${own.canary}-2`, own.canary, own.tenant.remoteId],
    email: [`${own.canary}1@example.com`, own.tenant.email],
    account_id: [own.tenant.accountId, ...near],
    service_id: [own.ids.service, own.ids.ownService, ...near],
    company_id: [own.ids.company, ...near],
    app_id: [own.ids.app, ...near],
    integration_id: [own.ids.integration, ...near],
    client_id: [own.ids.client, ...near],
    run_id: [1, 2, 3, ...near],
  }
  const nonsense = ['', '-1', '0', "' or 1=1 --", '%', '99999999999999999999', ...names]
  return fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...(known[field] ?? names).map(String)) },
    { weight: 1, arbitrary: fc.constantFrom(...nonsense) },
  )
}

function sorts(fields: readonly string[]): fc.Arbitrary<Pair[]> {
  if (fields.length === 0) return fc.constant([])
  const field = fc.tuple(fc.constantFrom('', '-'), fc.constantFrom(...fields)).map((parts) => parts.join(''))
  return fc.oneof(
    {
      weight: 9,
      arbitrary: sometimes(fc.array(field, { minLength: 1, maxLength: 3 }).map((all): Pair => ['sort', all.join(',')])),
    },
    { weight: 1, arbitrary: fc.constantFrom<Pair[]>([['sort', 'password_hash']], [['sort', '-deleted_at']]) },
  )
}

function includes(fields: readonly string[]): fc.Arbitrary<Pair[]> {
  if (fields.length === 0) return fc.constant([])
  return fc.oneof(
    {
      weight: 9,
      arbitrary: sometimes(fc.subarray([...fields], { minLength: 1 }).map((all): Pair => ['include', all.join(',')])),
    },
    { weight: 1, arbitrary: fc.constant<Pair[]>([['include', 'credentials']]) },
  )
}

const pages: fc.Arbitrary<Pair[]> = fc
  .tuple(
    sometimes(
      fc.constantFrom('1', '2', '3', '7', '0', 'x', '999999999').map((page): Pair => ['page', page]),
      1,
    ),
    sometimes(
      fc.constantFrom('1', '2', '5', '10', '100', '101', '0', '-1').map((size): Pair => ['per_page', size]),
      1,
    ),
  )
  .map((pairs) => pairs.flat())
