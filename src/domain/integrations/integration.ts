import type { JsonValue } from '../../runtime/db/tables.gen.ts'
import type { MessageState } from './reading.ts'

/** The connection of an account to one shop of a service. */
export interface Integration {
  id: number
  integration_key: string
  app_id: number | null
  account_id: number | null
  service_id: number
  user_id: number | null
  company_id: number | null
  name: string
  type: string
  /** Of its service, where that is described instead of programmed. */
  definition: JsonValue
  shop: string
  status: IntegrationStatus
  status_reason: string | null
  description: string | null
  active: boolean
  mutable: boolean
  settings: JsonValue
  /** What the platform says it granted; null where it does not say. */
  granted: readonly string[] | null
  /** Until when the merchant has agreed; null where that has no end, or nobody knows it. */
  consent_ends_at: string | null
  /** Name of the logo; the view makes an address of it. */
  logo: string | null
  completeness: JsonValue
  /** How its webhooks stand, where we register them ourselves. */
  webhooks: JsonValue
  /** Whether the shop's messages arrive, and since when that is so (`reading.ts`). */
  messages: MessageState
  messages_since: string | null
  /** As its owner has chosen: null is the default, 0 is never. */
  read_every_minutes: number | null
  /** The same for all integrations of its service. */
  service_read_minutes: number | null
  next_read_at: string | null
  /** Where others share its limits: how often it is read for that (`ReadShare`). */
  read_share: JsonValue
  installed_at: string | null
  last_run_at: string | null
  created_at: string
  updated_at: string
}

export const integrationStatuses = ['PENDING', 'ACTIVE', 'INACTIVE', 'ERROR', 'UNINSTALLED'] as const
export type IntegrationStatus = (typeof integrationStatuses)[number]

/** Why an integration is where it is, in one word. */
export type StatusReason =
  | 'awaiting_installation'
  | 'awaiting_authorization'
  | 'awaiting_credentials'
  | 'credentials_rejected'
  | 'missing_rights'
  | 'authorization_denied'
  | 'paused'
  | 'uninstalled'

/** Everybody may make the move, or only what we observe ourselves. */
type Mover = 'anybody' | 'system'

/** Every legal move. Staying where one is counts as no move and is always fine. */
const moves: Readonly<Record<IntegrationStatus, Partial<Record<IntegrationStatus, Mover>>>> = {
  PENDING: { ACTIVE: 'anybody', UNINSTALLED: 'anybody' },
  ACTIVE: { INACTIVE: 'anybody', ERROR: 'system', UNINSTALLED: 'anybody' },
  INACTIVE: { ACTIVE: 'anybody', UNINSTALLED: 'anybody' },
  ERROR: { ACTIVE: 'anybody', INACTIVE: 'anybody', UNINSTALLED: 'anybody' },
  UNINSTALLED: { PENDING: 'anybody' },
}

export function mayMove(from: IntegrationStatus, to: IntegrationStatus, mover: Mover): boolean {
  if (from === to) return true
  const allowed = moves[from][to]
  return allowed === 'anybody' || allowed === mover
}

/** What is said about an integration that has just got there by somebody's wish. */
export const reasonFor = (status: IntegrationStatus): StatusReason | null => {
  if (status === 'PENDING') return 'awaiting_installation'
  if (status === 'INACTIVE') return 'paused'
  return status === 'UNINSTALLED' ? 'uninstalled' : null
}

export const isIntegrationStatus = (text: string): text is IntegrationStatus =>
  integrationStatuses.some((status) => status === text)

/** Whether anything may be run on it. */
export const isRunning = (integration: Pick<Integration, 'status' | 'active'>): boolean =>
  integration.status === 'ACTIVE' && integration.active

/** Its service, for figures that others see: what tenants call the services they have described is nobody else's business. */
export const publicType = ({ type, definition }: Pick<Integration, 'type' | 'definition'>): string =>
  definition === null ? type : 'described'
