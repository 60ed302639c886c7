import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { freePort } from '../support/process.ts'
import { startTestServer, type TestServer, type TestServerOptions, type TestTenant } from '../support/server.ts'

/** A server at the address that it says it has. */
export async function startAt(options: TestServerOptions = {}): Promise<{ server: TestServer; origin: string }> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const server = await startTestServer({ ...options, publicUrl: origin })
  await server.program.http?.listen('127.0.0.1', port)
  return { server, origin }
}

export interface Bounds {
  shops?: number[] | null
  tools?: string[]
  customer_data?: boolean
  calls_per_hour?: number
  writes_per_day?: number
}

export interface Agent {
  client: Client
  tokens(): OAuthTokens
  clientId(): string
  /** What the person was sent to, and agreed to. */
  asked: URL
  call(name: string, input?: Record<string, unknown>): Promise<ToolAnswer>
}

export interface ToolAnswer {
  isError: boolean
  text: string
  data: Record<string, unknown>
  raw: CallToolResult
}

const reads = [
  'list_shops',
  'shop_health',
  'list_runs',
  'list_logs',
  'list_messages',
  'find_order',
  'get_order',
  'order_passport',
]

/** What a program has at hand to be let in with; in memory. */
class Provider implements OAuthClientProvider {
  client: OAuthClientInformationMixed | undefined
  kept: OAuthTokens | undefined
  verifier = ''
  sentTo: URL | undefined
  readonly redirectUrl = 'http://127.0.0.1:7777/callback'
  readonly clientMetadata = {
    client_name: 'A test agent',
    redirect_uris: ['http://127.0.0.1/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
  state = () => 'a state of its own'
  clientInformation = () => this.client
  saveClientInformation = (client: OAuthClientInformationMixed) => {
    this.client = client
  }
  tokens = () => this.kept
  saveTokens = (tokens: OAuthTokens) => {
    this.kept = tokens
  }
  redirectToAuthorization = (url: URL) => {
    this.sentTo = url
  }
  saveCodeVerifier = (verifier: string) => {
    this.verifier = verifier
  }
  codeVerifier = () => this.verifier
}

/** A person's yes, as the page of the console sends it. */
export const agree = (server: TestServer, tenant: TestTenant, parameters: object, bounds: Bounds = {}) =>
  server.call('POST', `/api/2.0/user/apps/${tenant.appId}/agents`, {
    token: tenant.userToken,
    body: {
      ...parameters,
      ...{ shops: null, tools: reads, calls_per_hour: 1000, writes_per_day: 100 },
      ...bounds,
    },
  })

/** The whole way of a program that knows nothing but the address: refused, discovers, registers, asks, is let in. */
export async function connectAgent(
  { server, origin }: { server: TestServer; origin: string },
  tenant: TestTenant,
  bounds: Bounds = {},
): Promise<Agent> {
  const provider = new Provider()
  const url = new URL('/mcp', origin)
  const first = new StreamableHTTPClientTransport(url, { authProvider: provider })
  const isRefused = await new Client({ name: 'test', version: '1' }).connect(first).then(
    () => false,
    (error: unknown) => error instanceof UnauthorizedError,
  )
  const { sentTo } = provider
  if (!isRefused || !sentTo) throw new Error('The agent was not sent to a person.')
  const page = await fetch(sentTo, { redirect: 'manual' })
  const shown = new URL(page.headers.get('location') ?? '')
  const answer = await agree(server, tenant, Object.fromEntries(shown.searchParams), bounds)
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`)
  const back = new URL(String((answer.json['data'] as { redirect_to: string }).redirect_to))
  if (back.searchParams.get('state') !== 'a state of its own') throw new Error('The state is lost.')
  await first.finishAuth(back.searchParams.get('code') ?? '')
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(url, { authProvider: provider }))
  return {
    client,
    tokens() {
      if (!provider.kept) throw new Error('There are no tokens.')
      return provider.kept
    },
    clientId: () => provider.client?.client_id ?? '',
    asked: shown,
    async call(name, input = {}) {
      const raw = (await client.callTool({ name, arguments: input })) as CallToolResult
      const [text] = raw.content
      return {
        isError: raw.isError === true,
        text: text?.type === 'text' ? text.text : '',
        data: raw.structuredContent ?? {},
        raw,
      }
    },
  }
}
