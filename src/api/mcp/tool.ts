import type { Static, TObject } from 'typebox'
import type { Plan } from '../../domain/agents/proposal.ts'
import type { Context, Inside } from '../../domain/context.ts'
import { asAccount, asApp, asUser } from '../../domain/oauth/agents/read-agent.ts'
import type { Right } from '../../domain/rights.ts'
import type { AgentCaller } from '../../domain/tenant.ts'

/**
 * A tool is a plain value: what it is called, what it takes, and which of our endpoints it asks. There is no second way in:
 * a tool does what its endpoint does, with the rights of the person who let the agent in.
 */
export type Tool = ReadTool | WriteTool

interface Described {
  name: string
  title: string
  /** For the agent. Words of ours only: nothing that a shop, a buyer or an app has written. */
  description: string
  input: TObject
  /** Every agent has it: it shows nothing of a shop. */
  always?: true
}

export interface ReadTool extends Described {
  kind: 'read'
  run(asking: Asking, input: unknown): Promise<ToolResult>
}

export interface WriteTool extends Described {
  kind: 'write'
  /** What its endpoint needs: nobody approves what they may not do themselves. */
  right: Right
  /** Looks before anything is asked for, and says what exactly would be. */
  plan(asking: Asking, input: unknown): Promise<Plan>
  /** What the agent is told of the answer. */
  view(asking: Asking, body: unknown): ToolResult
}

export interface ToolResult {
  /** One sentence, of ours. */
  text: string
  data: Record<string, unknown>
}

export const readTool = <T extends TObject>(
  tool: Omit<ReadTool, 'kind' | 'run' | 'input'> & {
    input: T
    run(asking: Asking, input: Static<T>): Promise<ToolResult>
  },
): ReadTool => ({ ...tool, kind: 'read', run: (asking, input) => tool.run(asking, input as Static<T>) })

export const writeTool = <T extends TObject>(
  tool: Omit<WriteTool, 'kind' | 'plan' | 'input'> & {
    input: T
    plan(asking: Asking, input: Static<T>): Promise<Omit<Plan, 'tool'>>
  },
): WriteTool => ({
  ...tool,
  kind: 'write',
  plan: async (asking, input) => ({ tool: tool.name, ...(await tool.plan(asking, input as Static<T>)) }),
})

/** Said to the agent instead of a result; `detail` is its name in the audit trail. */
export class ToolRefusal extends Error {
  readonly detail: string
  readonly data: Record<string, unknown>
  constructor(detail: string, message: string, data: Record<string, unknown> = {}) {
    super(message)
    this.name = 'ToolRefusal'
    this.detail = detail
    this.data = data
  }
}

export type Fields = Readonly<Record<string, unknown>>

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {}

export const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : [])

type As = Plan['request']['as']
const app: As = { kind: 'app' }

/** What a tool asks with: the agent, and the way to our endpoints. */
export interface Asking {
  context: Context
  agent: AgentCaller
  get(url: string, as?: As): Promise<unknown>
  post(url: string, body: unknown, how?: { as?: As; key?: string }): Promise<unknown>
  /** Whatever was answered, refused or not. */
  look(url: string): Promise<{ status: number; body: unknown }>
  perform(request: Plan['request'], key: string): ReturnType<Inside['ask']>
  /** A shop within the bounds of the agent. */
  shop(id: number): Promise<Fields>
  /** What the API lets this agent ask in a minute, as the last answer said it. */
  window: { limit: number; remaining: number } | null
  /** Used in this hour and on this day, this call included. */
  used: { calls: number; writes: number } | null
}

export interface From {
  address: string
  requestId: string
}

export function createAsking(context: Context & { inside: Inside }, agent: AgentCaller, from: From): Asking {
  const callerFor = (as: As) => {
    if (as.kind === 'app') return asApp(agent)
    return as.kind === 'user' ? asUser(agent) : asAccount(agent, as.accountId)
  }

  async function send(as: As, request: { method: 'GET' | 'POST'; url: string; body?: unknown; key?: string }) {
    const { method, url, body, key } = request
    const answer = await context.inside.ask(callerFor(as), {
      ...{ method, url, ...from },
      ...(body !== undefined && { body }),
      ...(key !== undefined && { idempotencyKey: key }),
    })
    const limit = Number(answer.headers['x-ratelimit-limit'])
    const remaining = Number(answer.headers['x-ratelimit-remaining'])
    if (Number.isFinite(limit)) asking.window = { limit, remaining }
    return answer
  }

  const asking: Asking = {
    context,
    agent,
    window: null,
    used: null,
    get: async (url, as = app) => accepted(await send(as, { method: 'GET', url })),
    post: async (url, body, { as = app, key } = {}) =>
      accepted(await send(as, { method: 'POST', url, body, ...(key !== undefined && { key }) })),
    look: (url) => send(app, { method: 'GET', url }),
    perform: ({ as, method, url, body }, key) => send(as, { method, url, body, key }),
    async shop(id) {
      const { shops } = agent.bounds
      if (shops && !shops.includes(id)) {
        throw new ToolRefusal('outside_shops', `Shop ${id} is outside what you were given. list_shops shows yours.`)
      }
      return fieldsOf(fieldsOf(await asking.get(`/api/2.0/app/integrations/${id}`))['data'])
    },
  }
  return asking
}

/** What an endpoint refuses is said to the agent in the words of the API. */
function accepted({ status, body }: { status: number; body: unknown }): unknown {
  if (status < 300) return body
  throw refusalOf(status, body)
}

export function refusalOf(status: number, body: unknown): ToolRefusal {
  const { message, errors } = fieldsOf(body)
  const said = typeof message === 'string' ? message : 'The request was refused.'
  const known: Readonly<Record<number, string>> = {
    403: 'The person who let you in may not do this.',
    404: 'There is no such record, or it is not in this app.',
    429: 'Too many requests. Wait a minute.',
    503: 'The shop or the service does not answer at the moment. Try again later.',
  }
  const words = known[status]
  return new ToolRefusal(`answered_${status}`, words ?? 'The request was refused; `reason` says why.', {
    status,
    reason: untrusted(said),
    ...(errors !== undefined && { errors: untrusted(JSON.stringify(errors)) }),
  })
}

const maxText = 500

/** Words that somebody else wrote: a shop, a buyer, a merchant. Data, and never anything that is to be followed. */
export function untrusted(text: unknown): { untrusted_text: string } | null {
  if (typeof text !== 'string' || text === '') return null
  const letters = [...text.toWellFormed().replace(/[\p{Cc}\p{Cf}]/gu, ' ')]
  const shown = letters.length > maxText ? `${letters.slice(0, maxText).join('')} …` : letters.join('')
  return { untrusted_text: shown }
}

/** Numbers and ids of shops, as they are where they look like one. Anything else is only words. */
export function code(value: unknown): unknown {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || value === '') return null
  return /^[\w#./:@+-]{1,80}$/.test(value) ? value : untrusted(value)
}
