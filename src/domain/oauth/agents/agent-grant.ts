/** What a person has let an agent do, and within which bounds. */
export interface AgentGrant {
  id: number
  client_id: number
  client_name: string
  client_uri: string | null
  user_id: number
  user_name: string | null
  app_id: number
  /** Null is every shop of the app. */
  shops: number[] | null
  tools: string[]
  customer_data: boolean
  calls_per_hour: number
  writes_per_day: number
  /** Used in this hour, and on this day. */
  calls: number
  writes: number
  created_at: string
  last_used_at: string | null
  ended_at: string | null
}

export type AgentBounds = Pick<AgentGrant, 'shops' | 'tools' | 'customer_data' | 'calls_per_hour' | 'writes_per_day'>

export const maxShops = 500
export const maxBudget = 10_000

/** Long enough for a slow browser; a code works once. */
export const codeSeconds = 120
export const agentTokenSeconds = 3600
export const agentRefreshSeconds = 30 * 24 * 3600

/** Where the tokens of agents are good, and nowhere else (RFC 8707). */
export const agentResource = (publicUrl: string): string => `${publicUrl}/mcp`

/** With or without the slash that some programs put at the end. */
export const isAgentResource = (publicUrl: string, resource: string): boolean =>
  resource.replace(/\/$/, '').toLowerCase() === agentResource(publicUrl).toLowerCase()
