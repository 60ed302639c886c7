/** What an agent wants changed. It waits until a person has decided, or until its time is over. */
export const proposalStatuses = ['waiting', 'approved', 'done', 'failed', 'refused', 'expired'] as const
export type ProposalStatus = (typeof proposalStatuses)[number]

/** One of our endpoints, and what it is asked: nothing else is carried out. */
export interface PlannedRequest {
  as: { kind: 'app' } | { kind: 'user' } | { kind: 'account'; accountId: number }
  method: 'POST'
  /** Path and query. */
  url: string
  body: unknown
}

export interface Plan {
  tool: string
  integrationId: number | null
  request: PlannedRequest
  /** What will be done, for the person who decides: a name and a value each. */
  says: readonly { name: string; value: string }[]
}

export interface ProposalAnswer {
  /** 0 where there was none. */
  status: number
  body: unknown
}

export interface Proposal {
  id: number
  grant_id: number
  app_id: number
  client_id: number
  client_name: string
  user_id: number
  user_name: string | null
  integration_id: number | null
  shop: string | null
  tool: string
  status: ProposalStatus
  plan: Plan
  answer: ProposalAnswer | null
  created_at: string
  expires_at: string
  decided_at: string | null
  decided_by: number | null
  decided_by_name: string | null
  finished_at: string | null
}

/** A day: whoever decides later should be asked again, by what is so then. */
export const proposalSeconds = 24 * 3600

/** So many of one agent wait at the same time. */
export const maxWaiting = 100

export const proposalPlace = (id: number, appId: number): string => `agent_proposals/sealed/${id}/${appId}`

/** Under this key the change is made once, whoever asks again. */
export const proposalKey = (id: number): string => `approval-${id}`
