import { sql } from 'kysely'
import type { Db } from '../../src/runtime/db/connection.ts'
import type { Endpoint } from '../../src/runtime/http/endpoint.ts'
import { bodyPointingAt } from './bodies.ts'
import { columnsOf, countRows } from './rows.ts'
import type { TestServer } from './server.ts'
import { callAs, nameOf, type World } from './world.ts'

/** Calls of one tenant with the ids of another, and how to see that they neither show nor change anything. */

export interface Attempt {
  what: string
  params: Record<string, string>
  body?: Record<string, unknown>
  headers?: Record<string, string>
  search?: string
  /** Whether the path names something foreign, so that nothing but a refusal will do. */
  foreignPath: boolean
}

/** What is wrong with the answers to every attempt at this endpoint; nothing, it is to be hoped. */
export async function tryForeign(
  server: TestServer,
  { own, foreign, mayShow }: { own: World; foreign: World; mayShow: readonly World[] },
  endpoint: Endpoint,
): Promise<string[]> {
  const known = new Set(mayShow.map(({ canary }) => canary))
  const problems: string[] = []
  for (const attempt of attempts(endpoint, own, foreign)) {
    const answer = await callAs(server, own, endpoint, attempt)
    const what = `${nameOf(endpoint)}, ${attempt.what}: ${answer.status} ${answer.text.slice(0, 200)}`
    const seen = answer.text + JSON.stringify(answer.headers)
    const canaries = seen.match(/canary[0-9a-f]{16}/g) ?? []
    if (canaries.some((canary) => !known.has(canary))) problems.push(`A canary shows. ${what}`)
    if (attempt.foreignPath && ![401, 403, 404].includes(answer.status)) problems.push(`Not refused. ${what}`)
    if (answer.status >= 500) problems.push(`Failed. ${what}`)
  }
  return problems
}

function attempts(endpoint: Endpoint, own: World, foreign: World): Attempt[] {
  const mine = own.params(endpoint)
  const theirs = foreign.params(endpoint)
  const reads = endpoint.method === 'GET'
  const body = reads ? {} : { body: foreignBody(endpoint, foreign) }
  const refused = !isOpen(endpoint)
  const differing = Object.keys(mine).filter((name) => mine[name] !== theirs[name])
  return [
    ...(differing.length > 0 ? [{ what: 'foreign path', params: theirs, ...body, foreignPath: refused }] : []),
    ...(Object.keys(mine).length > 1 ? differing : []).map((name) => ({
      what: `own path but for ${name}`,
      params: { ...mine, [name]: theirs[name] ?? '' },
      ...body,
      foreignPath: refused,
    })),
    ...privateServicePaths(mine, foreign).map((params) => ({
      what: 'foreign service in the path',
      params,
      ...body,
      foreignPath: refused,
    })),
    ...(own.needed(endpoint) === '' || isAboutNobody(endpoint)
      ? []
      : [
          { what: 'foreign query', params: mine, search: `?${foreign.needed(endpoint)}`, foreignPath: refused },
          {
            what: 'foreign path and query',
            params: theirs,
            search: `?${foreign.needed(endpoint)}`,
            foreignPath: refused,
          },
        ]),
    ...(reads ? [{ what: 'own', params: mine, foreignPath: false }] : []),
    ...(asksForUser(endpoint)
      ? [
          {
            what: 'foreign user in the query',
            params: mine,
            search: searchFor(endpoint, own, foreign),
            foreignPath: false,
          },
        ]
      : []),
    ...(reads || takesOwnAway(endpoint) ? [] : [{ what: 'foreign body', params: mine, ...body, foreignPath: false }]),
    ...(reads || !namesService(endpoint)
      ? []
      : [
          {
            what: 'foreign service in the body',
            params: mine,
            body: { ...bodyPointingAt(endpoint, own), ...privateService(endpoint, foreign) },
            foreignPath: false,
          },
        ]),
    ...(endpoint.group.admitHeader
      ? [{ what: 'foreign key', params: theirs, ...body, headers: keyOf(foreign), foreignPath: true }]
      : []),
    ...(endpoint.group.admitHeader
      ? [{ what: 'foreign key, own path', params: mine, ...body, headers: keyOf(foreign), foreignPath: true }]
      : []),
  ]
}

/** Users too: of one's own, some calls may take away all that he has made. */
const foreignBody = (endpoint: Endpoint, foreign: World): Record<string, unknown> => ({
  ...bodyPointingAt(endpoint, foreign),
  ...(fieldsOf(endpoint).includes('user_id') ? { user_id: foreign.tenant.userId } : {}),
})

const asksForUser = ({ query }: Endpoint) => namesIn(query).includes('user_id')
const searchFor = (endpoint: Endpoint, own: World, foreign: World) =>
  `?${[own.needed(endpoint), `user_id=${foreign.tenant.userId}`].filter(Boolean).join('&')}`

const keyOf = (world: World) => ({ 'x-gateway-key': world.gatewayKey })

/** Paths that name a service of the catalogue, with one that the foreign tenant has added for itself. */
function privateServicePaths(mine: Record<string, string>, foreign: World): Record<string, string>[] {
  const theirs: Record<string, string> = {
    service: String(foreign.ids.ownService),
    ownService: String(foreign.ids.ownService),
    serviceId: String(foreign.ids.ownService),
    serviceType: foreign.canary,
    ...(mine['resource'] === 'sandbox' ? { resource: foreign.canary } : {}),
  }
  return Object.keys(mine)
    .filter((name) => name in theirs)
    .map((name) => ({ ...mine, [name]: theirs[name] ?? '' }))
}

const namesIn = (schema: unknown) => Object.keys((schema as { properties?: object } | undefined)?.properties ?? {})
const fieldsOf = ({ body }: Endpoint) => namesIn(body)
const namesService = (endpoint: Endpoint) => fieldsOf(endpoint).some((field) => /^service(_id|s)$/.test(field))

function privateService(endpoint: Endpoint, foreign: World): Record<string, unknown> {
  const fields = fieldsOf(endpoint)
  const { ownService } = foreign.ids
  return {
    ...(fields.includes('service_id') ? { service_id: ownService } : {}),
    ...(fields.includes('services') ? { services: [ownService] } : {}),
  }
}

/** Would take the caller's own world away, on which the other attempts stand. */
const takesOwnAway = ({ method, path }: Endpoint) =>
  method === 'DELETE' || /\/(uninstall|services-sync|status)$/.test(path)

/** A program that has registered itself is nobody's, until somebody lets it in. */
const isAboutNobody = ({ path }: Endpoint) => path === '/agent-request'

/** Guards itself, and has no caller of whom anything could be foreign. */
const isOpen = ({ group, path }: Endpoint) => group.caller === null && !path.startsWith('/webhook_callback')

/* Rows ------------------------------------------------------------------------------------------------------------ */

/** These come and go with every login and call. */
const ofTokens = new Set(['v1_calls', 'access_tokens', 'refresh_tokens', 'login_addresses'])

/** How many rows of which table point to the records of this world: none may be added to them either. */
export async function referencesTo(db: Db, world: World): Promise<Record<string, number>> {
  const { ids } = world
  const records: Record<string, number> = {
    user_id: world.tenant.userId,
    company_id: ids.company,
    app_id: ids.app,
    account_id: ids.account,
    service_id: ids.ownService,
    integration_id: ids.integration,
    order_id: ids.order,
    client_id: ids.client,
  }
  const columns = (await columnsOf(db)).filter(({ table, column }) => column in records && !ofTokens.has(table))
  const counts = await countRows(db, columns, ({ column }) => sql`${sql.ref(column)} = ${records[column]}`)
  return Object.fromEntries(counts.map(({ table, column, yes }) => [`${table}.${column}`, yes]))
}

/** Words that a table must hold as they are, or that its rows are found by. */
const vocabulary = new Set([
  'integrations.type',
  'row_counters.kind',
  'user_permissions.permission',
  'access_tokens.jti',
])
const common = new Set(['migrations', 'roles', 'role_permissions', 'signing_keys', 'list_counters', 'rate_windows'])

/**
 * Puts the canary into every column that holds text, lists of text or JSON, of every row there is but those that belong
 * to everybody. What a check or a key of the table refuses stays as it is. Returns how many columns carry it.
 */
export async function fillCanaries(db: Db, canary: string): Promise<number> {
  const columns = (await columnsOf(db)).filter(
    ({ table, type }) => ['text', '_text', 'jsonb'].includes(type) && !table.startsWith('integration_logs_'),
  )
  const owned: Record<string, string> = { services: 'user_id is not null', flows: 'app_id is not null' }
  let filled = 0
  for (const { table, column, type } of columns) {
    if (common.has(table) || vocabulary.has(`${table}.${column}`)) continue
    const ref = sql.ref(column)
    const changed: Record<string, ReturnType<typeof sql>> = {
      text: sql`coalesce(${ref}, '') || ${canary}`,
      _text: sql`coalesce(${ref}, '{}') || ${canary}::text`,
      jsonb: sql`case when jsonb_typeof(${ref}) = 'array' then ${ref} || ${JSON.stringify(canary)}::jsonb
        else coalesce(${ref}, '{}') || ${JSON.stringify({ canary })}::jsonb end`,
    }
    const words = type === '_text' ? sql`(select string_agg(word, ' ') from unnest(${ref}) word)` : sql`${ref}::text`
    const done = await sql`
      update ${sql.table(table)} set ${ref} = ${changed[type]}
      where coalesce(${words}, '') not like '%canary%' and ${sql.raw(owned[table] ?? 'true')}`
      .execute(db)
      .then(
        () => true,
        () => false,
      )
    if (done) filled++
  }
  return filled
}
