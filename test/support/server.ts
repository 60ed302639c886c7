import { randomBytes, randomUUID } from 'node:crypto'
import type { Connector } from '../../src/commerce/connector.ts'
import type { ComposeOptions } from '../../src/compose/parts.ts'
import { compose, type Program } from '../../src/compose.ts'
import type { Config } from '../../src/config.ts'
import type { Context } from '../../src/domain/context.ts'
import { migrate } from '../../src/runtime/db/migrate.ts'
import { createLog, type Log } from '../../src/runtime/log.ts'
import { createStartedDatabase } from './database.ts'
import {
  askToken,
  type Credentials,
  makeAccount,
  makeApp,
  makeClient,
  makeCompany,
  makeUser,
  openTokens,
} from './identity.ts'
import { patience } from './patience.ts'
import type { PgBouncer } from './pgbouncer.ts'
import { pooledAddress } from './through-pooler.ts'
import { warnings } from './warnings.ts'

/** The whole program on a database of its own. Requests go in without a socket; `listen` opens one where it matters. */
export interface TestServer {
  program: Program
  context: Context
  databaseUrl: string
  call(method: string, path: string, options?: CallOptions): Promise<TestAnswer>
  /** Connectors of a test's own, until the server is closed: all programs of a process have the same ones. */
  add(...connectors: readonly Connector[]): void
  listen(): Promise<string>
  close(): Promise<void>
}

export interface CallOptions {
  token?: string | null
  body?: unknown
  headers?: Record<string, string>
}

export interface TestAnswer {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  text: string
  /** The parsed body; an empty object where there is none. */
  json: Record<string, unknown>
}

export interface TestServerOptions {
  /** Requests a minute for every kind of caller; so many by default that no test meets the limit by accident. */
  limit?: number
  tokenLimit?: number
  /** Unknown tokens a minute, by address. */
  failedLimit?: number
  /** Messages a minute that are none of a shop, by address. */
  refusedLimit?: number
  /** Pages a minute, by address. */
  pageLimit?: number
  publicUrl?: string
  works?: boolean
  log?: Log
  databaseUrl?: string
  /** It works through this one; where it is missing, as TEST_POOLER says for all. */
  pooler?: PgBouncer
  tls?: { cert: Buffer; key: Buffer }
  trustProxy?: readonly string[]
  egressAllow?: readonly string[]
  /** Asked for the proof of a domain. */
  nameServers?: readonly string[]
  /** Where it is missing, webhooks may go where shops may be. */
  webhookAllow?: readonly string[]
  egressRoutes?: Config['egressRoutes']
  metricsToken?: string
  quotas?: Config['quotas']
  telemetry?: Config['telemetry']
  mail?: Config['mail']
  /** Where it is missing, calls are not kept. */
  requestLogDays?: number
  /** As many as there are, for tests that look at all of them. */
  requestRoom?: ComposeOptions['requestRoom']
  /** For tests of how long a request waits for the database; it has all the time where it is missing. */
  patience?: ComposeOptions['patience']
}

export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const database = options.databaseUrl ? null : await createStartedDatabase()
  const databaseUrl = options.databaseUrl ?? database?.url ?? ''
  const limit = options.limit ?? 1_000_000
  const pooled = options.pooler
    ? { url: options.pooler.through(databaseUrl), directUrl: databaseUrl }
    : pooledAddress(databaseUrl)
  if (pooled) await migrate({ url: databaseUrl, log: createLog('silent'), pooled: true })
  const program = await compose({
    config: {
      directUrl: pooled?.directUrl ?? null,
      publicUrl: options.publicUrl ?? 'https://entrepot.test',
      tls: options.tls ?? null,
      trustProxy: options.trustProxy ?? [],
      egressAllow: options.egressAllow ?? [],
      webhookAllow: options.webhookAllow ?? options.egressAllow ?? [],
      ...(options.egressRoutes && { egressRoutes: options.egressRoutes }),
      ...(options.quotas && { quotas: options.quotas }),
      ...(options.metricsToken && { metricsToken: options.metricsToken }),
      telemetry: options.telemetry ?? null,
      ...(options.requestLogDays !== undefined && { requestLogDays: options.requestLogDays }),
      mail: options.mail ?? null,
      rateLimits: {
        ...{ user: limit, client: limit, account: limit },
        token: options.tokenLimit ?? 1_000_000,
        failed: options.failedLimit ?? 1_000_000,
        refused: options.refusedLimit ?? 1_000_000,
        page: options.pageLimit ?? 1_000_000,
      },
    },
    databaseUrl: pooled?.url ?? databaseUrl,
    ...(options.nameServers && { nameServers: options.nameServers }),
    ...(options.requestRoom && { requestRoom: options.requestRoom }),
    patience: options.patience ?? patience,
    keys: testKeys,
    log: options.log ?? createLog('warn', warnings),
    serves: true,
    works: options.works ?? false,
  })
  const connectors = program.context.connectors as Map<string, Connector>
  const added: string[] = []
  const { http } = program
  if (!http) throw new Error('The program does not serve.')
  return {
    program,
    context: program.context,
    databaseUrl,
    call: async (method, path, { token, body, headers } = {}) => {
      const answer = await http.inject({
        method: method as 'GET',
        url: path,
        headers: {
          accept: 'application/json',
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const type = String(answer.headers['content-type'] ?? '')
      const json = type.startsWith('application/json') && answer.body !== '' ? JSON.parse(answer.body) : {}
      return { status: answer.statusCode, headers: answer.headers, text: answer.body, json }
    },
    add(...own) {
      for (const one of own) connectors.set(one.type, one)
      added.push(...own.map(({ type }) => type))
    },
    listen: async () => `${options.tls ? 'https' : 'http'}://127.0.0.1:${await http.listen('127.0.0.1', 0)}`,
    close: async () => {
      for (const type of added) connectors.delete(type)
      await program.close()
      await database?.drop()
    },
  }
}

/** One ring for all servers of a test file, so that two of them on one database understand each other's secrets. */
export const testKeys = [{ id: 'test', key: randomBytes(32) }] as const

/** Somebody with everything: a company, a user with all permissions, an app, its client, an account, and their tokens. */
export interface TestTenant {
  companyId: number
  userId: number
  email: string
  userToken: string
  passwordClient: Credentials
  appId: number
  appClient: Credentials
  appToken: string
  accountId: number
  remoteId: string
  accountToken: string
}

export async function makeTenant(
  context: Context,
  options: { roles?: readonly string[]; permissions?: readonly string[] } = {},
): Promise<TestTenant> {
  const companyId = await makeCompany(context)
  const user = await makeUser(context, {
    company_id: companyId,
    ...(options.permissions ? { permissions: options.permissions } : { roles: options.roles ?? ['manager'] }),
  })
  const owner = { user_id: user.id, company_id: companyId }
  const appId = await makeApp(context, owner)
  const remoteId = `account-${randomUUID()}`
  const accountId = await makeAccount(context, appId, remoteId)
  const passwordClient = await makeClient(context, { grant_types: ['password', 'refresh_token'] })
  const appClient = await makeClient(context, { app_id: appId })
  const app = { grant_type: 'client_credentials', ...appClient }
  return {
    companyId,
    userId: user.id,
    email: user.email,
    userToken: (await openTokens(context, passwordClient, user)).access_token,
    passwordClient,
    appId,
    appClient,
    appToken: (await askToken(context, app)).access_token,
    accountId,
    remoteId,
    accountToken: (await askToken(context, { ...app, account: remoteId })).access_token,
  }
}

/** Another app of the same company and user, with a client and an account of its own. */
export async function makeSiblingApp(context: Context, tenant: TestTenant): Promise<TestTenant> {
  const appId = await makeApp(context, { user_id: tenant.userId, company_id: tenant.companyId })
  return await makeSiblingAccount(context, {
    ...tenant,
    appId,
    appClient: await makeClient(context, { app_id: appId }),
  })
}

/** Another account of the same app. */
export async function makeSiblingAccount(context: Context, tenant: TestTenant): Promise<TestTenant> {
  const remoteId = `account-${randomUUID()}`
  const accountId = await makeAccount(context, tenant.appId, remoteId)
  const app = { grant_type: 'client_credentials', ...tenant.appClient }
  return {
    ...tenant,
    appToken: (await askToken(context, app)).access_token,
    accountId,
    remoteId,
    accountToken: (await askToken(context, { ...app, account: remoteId })).access_token,
  }
}
