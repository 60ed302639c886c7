// Made by `npm run gen` from the migrated database (26e47ac4f514a347). Do not edit.

import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }

/** JSON as text, or an object. Never an array as it is: the driver would send PostgreSQL's own kind of array. */
export type JsonInput = string | { readonly [key: string]: unknown }

export interface AccessTokensTable {
  id: GeneratedAlways<number>
  jti: string
  kind: string
  client_id: number
  user_id: number | null
  app_id: number | null
  account_id: number | null
  scopes: string[]
  family_id: string | null
  expires_at: string
  revoked_at: string | null
  created_at: Generated<string>
  last_used_at: string | null
  address: string | null
  agent: string | null
}

export interface AccountsTable {
  id: GeneratedAlways<number>
  app_id: number
  remote_id: string
  name: string | null
  email: string | null
  company_id: number | null
  active: Generated<boolean>
  settings: ColumnType<JsonValue, JsonInput | undefined, JsonInput>
  created_at: Generated<string>
  updated_at: Generated<string>
  deleted_at: string | null
}

export interface AgentClientsTable {
  id: Generated<number>
  public_id: string
  name: string
  uri: string | null
  redirect_uris: string[]
  address_hash: Buffer
  created_at: Generated<string>
  used_at: string | null
}

export interface AgentGrantsTable {
  id: GeneratedAlways<number>
  client_id: number
  user_id: number
  app_id: number
  shops: number[] | null
  tools: string[]
  customer_data: Generated<boolean>
  calls_per_hour: number
  writes_per_day: number
  hour: string | null
  calls: Generated<number>
  day: string | null
  writes: Generated<number>
  created_at: Generated<string>
  begun_at: string | null
  last_used_at: string | null
  ended_at: string | null
}

export interface AgentProposalsTable {
  id: GeneratedAlways<number>
  grant_id: number
  app_id: number
  client_id: number
  integration_id: number | null
  tool: string
  status: Generated<string>
  sealed: Buffer
  key_id: string
  wish: Buffer
  created_at: Generated<string>
  expires_at: string
  decided_at: string | null
  decided_by: number | null
  finished_at: string | null
}

export interface AgentTokensTable {
  id: GeneratedAlways<number>
  token_hash: Buffer
  grant_id: number
  kind: string
  redirect_uri: string | null
  challenge: string | null
  expires_at: string
  used_at: string | null
  created_at: Generated<string>
}

export interface AlertChannelsTable {
  id: GeneratedAlways<number>
  app_id: number
  type: string
  name: string
  address: Buffer
  key_id: string
  hint: string
  severity: string
  active: Generated<boolean>
  delivery: string
  daily_at: string | null
  quiet_from: string | null
  quiet_to: string | null
  time_zone: string
  confirmed_at: string | null
  last_sent_at: string | null
  failing_since: string | null
  last_error: string | null
  created_by: number | null
  created_at: Generated<string>
  updated_at: Generated<string>
  deleted_at: string | null
}

export interface AlertItemsTable {
  notification_id: number
  attention_id: number
  what: string
}

export interface AlertLettersTable {
  app_id: number
  active: boolean
  kinds: string[]
  subject: string
  body: string
  updated_at: Generated<string>
}

export interface AlertMutesTable {
  app_id: number
  kind: string
  cause: string
  until: string
  muted_by: number | null
  created_at: Generated<string>
}

export interface AlertNotificationsTable {
  id: GeneratedAlways<number>
  channel_id: number
  key: Generated<string>
  state: Generated<string>
  due_at: string
  attempts: Generated<number>
  error: string | null
  created_at: Generated<string>
  sent_at: string | null
}

export interface AlertReadersTable {
  account_id: number
  created_at: Generated<string>
}

export interface AlertRulesTable {
  app_id: number
  kind: string
  active: boolean
  severity: string
  minimum: number | null
  minutes: number | null
  integration_ids: number[] | null
  updated_at: Generated<string>
}

export interface ApiRequestMinutesTable {
  app_id: number
  minute: string
  caller: string
  client_id: number
  calls: number
  failed: number
  limited: number
  left_out: number
  most: number
  allowed: number
}

export interface ApiRequestsTable {
  app_id: number
  at: string
  id: string
  source: string
  caller: string
  client_id: number | null
  account_id: number | null
  user_id: number | null
  integration_id: number | null
  method: string
  route: string
  path: string
  query: string
  status: number
  ms: number
  address: string
  request_bytes: number
  response_bytes: number
  detail: ColumnType<JsonValue, JsonInput, JsonInput>
}

export interface AppRolesTable {
  user_id: number
  app_id: number
  role: string
}

export interface AppServicesTable {
  id: GeneratedAlways<number>
  app_id: number
  service_id: number
  active: Generated<boolean>
  settings: ColumnType<JsonValue, JsonInput | undefined, JsonInput>
  logo: string | null
  client: Buffer | null
  client_key_id: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface AppsTable {
  id: GeneratedAlways<number>
  user_id: number | null
  company_id: number | null
  name: string
  description: string | null
  url: string | null
  logo: string | null
  active: Generated<boolean>
  mutable: Generated<boolean>
  return_urls: Generated<string[]>
  created_at: Generated<string>
  updated_at: Generated<string>
  deleted_at: string | null
  keep_orders_days: number | null
  keep_customers_days: number | null
  keep_messages_days: number | null
  agent_writes: Generated<string[]>
  accent: string | null
}

export interface ArrivalsTable {
  id: GeneratedAlways<number>
  service_id: number
  app_id: number | null
  type: string
  shop: string
  state_hash: Buffer | null
  state_expires_at: string | null
  sealed: Buffer | null
  key_id: string | null
  code_hash: Buffer | null
  code_expires_at: string | null
  expires_at: string
  created_at: Generated<string>
}

export interface AttentionsTable {
  id: GeneratedAlways<number>
  app_id: number
  kind: string
  cause: string
  integration_id: number | null
  webhook_id: number | null
  user_id: number | null
  run_id: number | null
  severity: string
  count: number | null
  reason: string | null
  since: string | null
  opened_at: Generated<string>
  updated_at: Generated<string>
  closed_at: string | null
  acknowledged_at: string | null
  acknowledged_by: number | null
}

export interface AuditBlocksTable {
  number: number
  previous: Buffer
  hash: Buffer
  entries: number
  last_at: string
  sealed_at: Generated<string>
}

export interface AuditCheckpointTable {
  id: number
  number: number
  hash: Buffer
  removed: number
  mac: Buffer
  at: Generated<string>
}

export interface AuditEntriesTable {
  id: GeneratedAlways<number>
  at: string
  kind: string
  operation: string
  what: string
  detail: string | null
  outcome: string
  caller: string
  user_id: number | null
  client_id: number | null
  account_id: number | null
  app_id: number | null
  company_id: number | null
  integration_id: number | null
  record_type: string | null
  record_id: string | null
  fields: Generated<string[]>
  address: string | null
  request_id: string | null
  mac: Buffer
  block: number | null
}

export interface AuditHeadTable {
  id: number
  number: number
  hash: Buffer
}

export interface AuditKeysTable {
  id: number
  sealed: Buffer
  key_id: string
}

export interface BudgetSharesTable {
  key: string
  shop: string
  tokens: number
  refilled_at: Generated<string>
  wanted_at: Generated<string>
}

export interface CaughtRequestsTable {
  id: GeneratedAlways<number>
  app_id: number
  headers: ColumnType<JsonValue, JsonInput, JsonInput>
  body: string
  received_at: Generated<string>
}

export interface ClaimCodesTable {
  integration_id: number
  code_hash: Buffer
  expires_at: string
}

export interface CommitGuardTable {
  id: number
}

export interface CompaniesTable {
  id: GeneratedAlways<number>
  user_id: number | null
  name: string
  email: string | null
  phone: string | null
  website: string | null
  country: string | null
  active: Generated<boolean>
  created_at: Generated<string>
  updated_at: Generated<string>
  deleted_at: string | null
  require_second_factor: Generated<boolean>
}

export interface ConsoleSessionsTable {
  id: GeneratedAlways<number>
  secret_hash: Buffer
  user_id: number
  expires_at: string
  created_at: Generated<string>
  last_used_at: Generated<string>
  address: string | null
  agent: string | null
  second_factor: boolean | null
  provider_company_id: number | null
  provider_session: string | null
}

export interface CredentialsTable {
  integration_id: number
  sealed: Buffer
  key_id: string
  version: Generated<number>
  expires_at: string | null
  lease_holder: string | null
  lease_until: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
  failures: Generated<number>
  failed_at: string | null
}

export interface DeparturesTable {
  company_id: number
  user_id: number
  left_at: Generated<string>
}

export interface DeviceAuthorizationsTable {
  id: GeneratedAlways<number>
  device_hash: Buffer
  user_hash: Buffer
  client_id: number
  scopes: string[]
  address: string
  agent: string | null
  state: Generated<string>
  user_id: number | null
  interval_seconds: Generated<number>
  asked_at: string | null
  expires_at: string
  created_at: Generated<string>
}

export interface ErasedOrdersTable {
  integration_id: number
  remote_hash: Buffer
  at: Generated<string>
}

export interface ErasureShopsTable {
  erasure_id: number
  integration_id: number
  words: number[]
  phrases: Generated<number[]>
  at_table: string | null
  after: string | null
  touched: ColumnType<JsonValue, JsonInput | undefined, JsonInput>
  waiting: Generated<number>
  completed_at: string | null
}

export interface ErasuresTable {
  id: GeneratedAlways<number>
  app_id: number | null
  account_id: number | null
  requested_by: string
  named_by: string[]
  created_at: Generated<string>
  completed_at: string | null
}

export interface FlowRunsTable {
  id: GeneratedAlways<number>
  flow_id: number
  integration_id: number
  status: string
  steps: ColumnType<JsonValue, JsonInput, JsonInput>
  step: Generated<number>
  run_id: number | null
  error: string | null
  created_at: Generated<string>
  started_at: string | null
  finished_at: string | null
  seen_at: Generated<string>
}

export interface FlowsTable {
  id: GeneratedAlways<number>
  app_id: number | null
  service_id: number | null
  name: string
  description: string | null
  type: string
  trigger: ColumnType<JsonValue, JsonInput | undefined, JsonInput>
  steps: ColumnType<JsonValue, JsonInput | undefined, JsonInput>
  active: Generated<boolean>
  created_at: Generated<string>
  updated_at: Generated<string>
  deleted_at: string | null
  next_run_at: string | null
  last_run_at: string | null
  last_run_status: string | null
}

export interface GatewayKeysTable {
  id: GeneratedAlways<number>
  integration_id: number
  key_hash: Buffer
  created_at: Generated<string>
  expires_at: string | null
  created_by: number | null
}

export interface HeartbeatsTable {
  name: string
  at: string
}

export interface IdempotencyKeysTable {
  id: GeneratedAlways<number>
  caller: string
  key_hash: Buffer
  fingerprint: Buffer
  holder: string | null
  locked_until: string | null
  status: number | null
  answer: Buffer | null
  key_id: string | null
  created_at: Generated<string>
  committed_at: string | null
  bytes: GeneratedAlways<number | null>
}

export interface InboundWorkTable {
  integration_id: number
  holder: string | null
  lease_until: string
  vain: Generated<number>
}

export interface InstallStatesTable {
  id: GeneratedAlways<number>
  state_hash: Buffer
  integration_id: number
  channel: string
  shop: string
  return_url: string | null
  sealed: Buffer
  expires_at: string
  created_at: Generated<string>
  browser_hash: Buffer | null
}

export interface IntegrationLogsTable {
  integration_id: number
  at: Generated<string>
  id: Generated<number>
  run_id: number | null
  level: string
  event: string
  message: string
  context: ColumnType<JsonValue | null, JsonInput | null | undefined, JsonInput | null>
  private: Buffer | null
  to_seal: boolean | null
}

export interface IntegrationStateTable {
  integration_id: number
  app_id: number | null
  fence: Generated<number>
  cursor: ColumnType<JsonValue, JsonInput | undefined, JsonInput>
  last_run_at: string | null
  created_at: Generated<string>
  tombstone_key: Buffer | null
  in_pool: Generated<boolean>
}

export interface IntegrationsTable {
  id: GeneratedAlways<number>
  integration_key: Generated<string>
  app_id: number | null
  account_id: number | null
  service_id: number
  user_id: number | null
  company_id: number | null
  name: string
  type: string
  shop: string
  status: string
  status_reason: string | null
  description: string | null
  active: Generated<boolean>
  mutable: Generated<boolean>
  settings: ColumnType<JsonValue, JsonInput | undefined, JsonInput>
  logo: string | null
  completeness: ColumnType<JsonValue | null, JsonInput | null | undefined, JsonInput | null>
  installed_at: string | null
  last_run_at: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
  deleted_at: string | null
  compared_at: string | null
  uninstalled_at: string | null
  purged_at: string | null
  webhooks: ColumnType<JsonValue | null, JsonInput | null | undefined, JsonInput | null>
  next_read_at: Generated<string | null>
  catalogue_read_at: Generated<string | null>
  read_every_minutes: number | null
  messages: Generated<string>
  messages_since: string | null
  granted: string[] | null
  identity: string | null
  consent_ends_at: string | null
  consent_announced_at: string | null
  forgotten_until: string | null
  retained_at: string | null
  read_share: ColumnType<JsonValue | null, JsonInput | null | undefined, JsonInput | null>
}

export interface IntentTokensTable {
  id: GeneratedAlways<number>
  token_hash: Buffer
  app_id: number
  account_id: number
  client_id: number
  scopes: string[]
  expires_at: string
  used_at: string | null
  created_at: Generated<string>
}

export interface InventoryTable {
  integration_id: number
  sku: string
  location: Generated<string>
  quantity: number
  remote_id: Generated<string>
  updated_at: Generated<string>
  remote_version: string | null
  deleted_at: string | null
}

export interface InvitationsTable {
  id: GeneratedAlways<number>
  company_id: number
  invited_by: number | null
  email: string
  role: string
  app_id: number | null
  token_hash: Buffer
  expires_at: string
  accepted_at: string | null
  user_id: number | null
  created_at: Generated<string>
  updated_at: Generated<string>
  deleted_at: string | null
}

export interface ListCountersTable {
  list: string
  scope: number
  n: number
}

export interface LoginAddressesTable {
  user_id: number
  address_hash: Buffer
  last_at: Generated<string>
}

export interface LogosTable {
  id: GeneratedAlways<number>
  name: string
  mime_type: string
  width: number
  height: number
  size: number
  bytes: Buffer
  created_at: Generated<string>
}

export interface OauthClientsTable {
  id: GeneratedAlways<number>
  user_id: number | null
  company_id: number | null
  app_id: number | null
  name: string
  secret_hash: Buffer | null
  grant_types: string[]
  scopes: string[] | null
  redirect: Generated<string[]>
  confidential: Generated<boolean>
  revoked_at: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
  known_as: string | null
}

export interface OperationsTable {
  integration_id: number
  id: Generated<number>
  kind: string
  key: string
  generation: Generated<number>
  status: string
  input: ColumnType<JsonValue, JsonInput, JsonInput>
  result: ColumnType<JsonValue | null, JsonInput | null | undefined, JsonInput | null>
  error: string | null
  attempts: Generated<number>
  holder: string | null
  lease_until: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
  sent_at: string | null
  settled_at: string | null
  receipt: string | null
  private_input: Buffer | null
  private_result: Buffer | null
  undone_generation: number | null
}

export interface OrderHistoryTable {
  integration_id: number
  id: Generated<number>
  order_id: number
  status: string
  remote_status: string | null
  source: string
  note: string | null
  at: Generated<string>
  run_id: number | null
  private: Buffer | null
  reason: ColumnType<JsonValue | null, JsonInput | null | undefined, JsonInput | null>
}

export interface OrdersTable {
  integration_id: number
  id: Generated<number>
  remote_id: string
  number: string | null
  status: string
  currency: string
  total: string
  customer: ColumnType<JsonValue, JsonInput | undefined, JsonInput>
  billing_address: ColumnType<JsonValue | null, JsonInput | null | undefined, JsonInput | null>
  shipping_address: ColumnType<JsonValue | null, JsonInput | null | undefined, JsonInput | null>
  items: ColumnType<JsonValue, JsonInput | undefined, JsonInput>
  sandbox: Generated<boolean>
  remote_status: string | null
  remote_version: string | null
  remote_payload: ColumnType<JsonValue | null, JsonInput | null | undefined, JsonInput | null>
  placed_at: string | null
  acknowledged_at: string | null
  cancelled_at: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
  deleted_at: string | null
  vanished_at: string | null
  redacted_at: string | null
  acknowledgement_reported_at: string | null
  payment_status: string | null
  fulfillment_status: string | null
  hold_reason: string | null
  subtotal: string | null
  discount_total: string | null
  shipping_total: string | null
  tax_total: string | null
  fee_total: string | null
  refunded_total: string | null
  prices_include_tax: boolean | null
  shipping_method: string | null
  note: string | null
  admin_url: string | null
  ship_by: string | null
  fees: ColumnType<JsonValue, JsonInput | undefined, JsonInput>
  refunds: ColumnType<JsonValue, JsonInput | undefined, JsonInput>
  moved_here_until: string | null
  compared_at: string | null
  kept_here: Generated<string[]>
  service_level: string | null
  fulfilled_by: string | null
  sales_channel: string | null
  presentment: ColumnType<JsonValue | null, JsonInput | null | undefined, JsonInput | null>
  purchase_order: string | null
  tax_ids: ColumnType<JsonValue, JsonInput | undefined, JsonInput>
  attributes: ColumnType<JsonValue, JsonInput | undefined, JsonInput>
  cancel_requested: Generated<boolean>
  returns: ColumnType<JsonValue, JsonInput | undefined, JsonInput>
  incomplete: Generated<boolean>
  tags: ColumnType<JsonValue, JsonInput | undefined, JsonInput>
  private: Buffer | null
  private_digest: Buffer | null
  private_words: number[] | null
  remote_record: Buffer | null
}

export interface PasskeyChallengesTable {
  id: GeneratedAlways<number>
  challenge_hash: Buffer
  user_id: number | null
  expires_at: string
}

export interface PasskeysTable {
  id: GeneratedAlways<number>
  user_id: number
  name: string
  credential_id: Buffer
  public_key: Buffer
  counter: number
  transports: string[]
  backed_up: boolean
  last_used_at: string | null
  created_at: Generated<string>
}

export interface PasswordResetsTable {
  id: GeneratedAlways<number>
  user_id: number
  token_hash: Buffer
  made_by: number | null
  expires_at: string
}

export interface PrivacyKeysTable {
  integration_id: number
  sealed: Buffer
  key_id: string
  created_at: Generated<string>
}

export interface ProductsTable {
  integration_id: number
  id: Generated<number>
  remote_id: string | null
  sku: string
  name: string
  description: string | null
  price: string
  currency: string
  quantity: number | null
  active: Generated<boolean>
  images: ColumnType<JsonValue, JsonInput | undefined, JsonInput>
  variants: ColumnType<JsonValue, JsonInput | undefined, JsonInput>
  remote_status: string | null
  remote_version: string | null
  remote_payload: ColumnType<JsonValue | null, JsonInput | null | undefined, JsonInput | null>
  exported_at: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
  deleted_at: string | null
  vanished_at: string | null
  compared_at: string | null
}

export interface QuarantineTable {
  integration_id: number
  kind: string
  remote_id: string
  run_id: number
  reason: string
  payload: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
  private: Buffer | null
}

export interface QuotaSamplesTable {
  quota: string
  most: number
  total: number
  sampled_at: Generated<string>
}

export interface RateBudgetsTable {
  key: string
  capacity: number
  per_second: number
  tokens: number
  refilled_at: Generated<string>
  granted: Generated<number>
  leased: Generated<number>
  leased_until: string | null
  blocked_until: string | null
  limits_due_at: string | null
  per_day: number | null
  day_left: number | null
}

export interface RateWindowsTable {
  key: string
  hits: number
  resets_at: string
}

export interface RecoveryCodesTable {
  user_id: number
  code_hash: Buffer
  used_at: string | null
}

export interface RefreshTokensTable {
  id: GeneratedAlways<number>
  token_hash: Buffer
  family_id: string
  parent_id: number | null
  access_token_id: number | null
  client_id: number
  user_id: number
  scopes: string[]
  expires_at: string
  used_at: string | null
  revoked_at: string | null
  created_at: Generated<string>
}

export interface RolePermissionsTable {
  role_id: number
  permission: string
}

export interface RolesTable {
  id: GeneratedAlways<number>
  name: string
  created_at: Generated<string>
}

export interface RowCountersTable {
  integration_id: number
  kind: string
  bucket: number
  n: number
}

export interface RunTurnsTable {
  queue: string
  tenant: string
  turn: number
}

export interface RunsTable {
  integration_id: number
  id: Generated<number>
  resource: string
  status: string
  input: ColumnType<JsonValue, JsonInput | undefined, JsonInput>
  done: Generated<number>
  total: number | null
  result: ColumnType<JsonValue | null, JsonInput | null | undefined, JsonInput | null>
  error: string | null
  fence: number | null
  schedule_id: number | null
  flow_id: number | null
  created_at: Generated<string>
  started_at: string | null
  finished_at: string | null
  attempts: Generated<number>
  waits: Generated<number>
  estimated_seconds: number | null
  automatic: Generated<boolean>
  quiet: Generated<boolean>
  private_result: Buffer | null
  to_seal: boolean | null
  reason: ColumnType<JsonValue | null, JsonInput | null | undefined, JsonInput | null>
}

export interface SavedViewsTable {
  id: GeneratedAlways<number>
  user_id: number
  app_id: number
  list: string
  name: string
  filters: ColumnType<JsonValue, JsonInput, JsonInput>
  columns: string[] | null
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface SchedulesTable {
  id: GeneratedAlways<number>
  integration_id: number
  name: string | null
  resource: string
  cron: string
  timezone: Generated<string>
  payload: ColumnType<JsonValue, JsonInput | undefined, JsonInput>
  active: Generated<boolean>
  last_run_at: string | null
  next_run_at: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
  deleted_at: string | null
  spread_seconds: number | null
  due_at: GeneratedAlways<string | null>
}

export interface ServiceVersionsTable {
  id: GeneratedAlways<number>
  service_id: number
  number: number
  definition: ColumnType<JsonValue, JsonInput, JsonInput>
  user_id: number | null
  restored_from: number | null
  created_at: Generated<string>
}

export interface ServicesTable {
  id: GeneratedAlways<number>
  user_id: number | null
  company_id: number | null
  type: string
  name: string
  description: string | null
  logo: string | null
  auth_type: string
  active: Generated<boolean>
  mutable: Generated<boolean>
  settings: ColumnType<JsonValue, JsonInput | undefined, JsonInput>
  client: Buffer | null
  client_key_id: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
  deleted_at: string | null
  definition: ColumnType<JsonValue | null, JsonInput | null | undefined, JsonInput | null>
}

export interface ShipmentsTable {
  integration_id: number
  id: Generated<number>
  order_id: number
  remote_id: string | null
  tracking_number: string | null
  carrier: string
  tracking_url: string | null
  status: string
  items: ColumnType<JsonValue, JsonInput | undefined, JsonInput>
  shipped_at: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface ShopMessagesTable {
  integration_id: number
  delivery_id: string
  topic: string | null
  headers: ColumnType<JsonValue, JsonInput | undefined, JsonInput>
  query: ColumnType<JsonValue, JsonInput | undefined, JsonInput>
  body: Buffer
  received_at: Generated<string>
  processed_at: string | null
  id: Generated<number>
  verified: Generated<boolean>
  kind: string | null
  remote_id: string | null
  attempts: Generated<number>
  next_attempt_at: Generated<string>
  outcome: string | null
  error: string | null
  forget: Generated<boolean>
  private: Buffer | null
  private_error: Buffer | null
  size: number | null
  reason: ColumnType<JsonValue | null, JsonInput | null | undefined, JsonInput | null>
  private_reason: Buffer | null
  era: Generated<number>
}

export interface ShopWebhooksTable {
  integration_id: number
  address: string
  sealed: Buffer
  key_id: string
  secret_made_at: Generated<string>
  topics: ColumnType<JsonValue, JsonInput | undefined, JsonInput>
  registered_at: string | null
  checked_at: string | null
  next_check_at: Generated<string>
  failures: Generated<number>
  last_error: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
  cleared: Generated<boolean>
  holder: string | null
  held_until: string | null
}

export interface SignInStepsTable {
  id: GeneratedAlways<number>
  secret_hash: Buffer
  user_id: number
  expires_at: string
  created_at: Generated<string>
  provider_company_id: number | null
  provider_session: string | null
}

export interface SigningKeysTable {
  kid: string
  alg: string
  public_jwk: ColumnType<JsonValue, JsonInput, JsonInput>
  private_key: Buffer
  created_at: Generated<string>
  retired_at: string | null
}

export interface SingleSignOnTable {
  company_id: number
  issuer: string
  client_id: string
  client_secret: Buffer | null
  key_id: string | null
  create_users: Generated<boolean>
  default_role: string | null
  required: Generated<boolean>
  trust_second_factor: Generated<boolean>
  trust_addresses: Generated<boolean>
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface SingleSignOnDomainsTable {
  id: GeneratedAlways<number>
  company_id: number
  domain: string
  proof: string
  proved_at: string | null
  created_at: Generated<string>
}

export interface SingleSignOnSubjectsTable {
  company_id: number
  subject: string
  user_id: number
  created_at: Generated<string>
  last_at: Generated<string>
}

export interface SingleSignOnTripsTable {
  id: GeneratedAlways<number>
  state_hash: Buffer
  browser_hash: Buffer
  company_id: number
  expires_at: string
}

export interface StockArticlesTable {
  id: GeneratedAlways<number>
  pool_id: number
  sku: string
  barcode: string | null
  name: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
}

export interface StockBalancesTable {
  article_id: number
  place_id: number
  pool_id: number
  on_hand: Generated<number>
  reserved: Generated<number>
  at: Generated<string>
}

export interface StockLinksTable {
  id: GeneratedAlways<number>
  pool_id: number
  article_id: number
  integration_id: number
  remote_id: string
  sku: string
  location: Generated<string>
  made_by: string
  wanted: number | null
  shows: number | null
  due_at: string | null
  attempts: Generated<number>
  error: string | null
  told: number | null
  sent_at: string | null
  confirmed_at: string | null
  doubt: Generated<boolean>
  seen: number | null
  seen_at: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
  accepted_at: string | null
  at_least: number | null
  own_sold: Generated<number>
  blind_until: string | null
}

export interface StockMarksTable {
  integration_id: number
  what: string
  n: Generated<number>
}

export interface StockMovementsTable {
  id: GeneratedAlways<number>
  pool_id: number
  article_id: number
  place_id: number
  kind: string
  on_hand_by: number
  reserved_by: number
  on_hand: number
  reserved: number
  source: string
  key: string
  integration_id: number | null
  order_id: number | null
  note: string | null
  at: string
}

export interface StockOrderLinesTable {
  integration_id: number
  order_id: number
  line: string
  article_id: number
  place_id: number
  before: Generated<number>
  reserved: Generated<number>
  sold: Generated<number>
  returned: Generated<number>
  steps: Generated<number>
  placed_at: string
  per_unit: Generated<number>
  dropped: Generated<number>
}

export interface StockPartsTable {
  article_id: number
  part_id: number
  quantity: number
}

export interface StockPlacesTable {
  id: GeneratedAlways<number>
  pool_id: number
  name: string
  created_at: Generated<string>
}

export interface StockPoolsTable {
  id: GeneratedAlways<number>
  app_id: number
  account_id: number
  mode: Generated<string>
  created_at: Generated<string>
  updated_at: Generated<string>
  deal_below: Generated<number>
}

export interface StockShopsTable {
  integration_id: number
  pool_id: number
  place_id: number
  active: Generated<boolean>
  share_percent: Generated<number>
  margin: Generated<number>
  cap: number | null
  minimum: Generated<number>
  multiple: Generated<number>
  location: string | null
  by_hand: Generated<string>
  restock_returns: Generated<boolean>
  cancel_oversold: Generated<boolean>
  joined_at: Generated<string>
  holder: string | null
  held_until: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
  sold_at: string | null
}

export interface StockSightingsTable {
  id: GeneratedAlways<number>
  link_id: number
  at: Generated<string>
  expected: number
  found: number
  resolution: string | null
}

export interface StockTellingsTable {
  id: GeneratedAlways<number>
  link_id: number
  quantity: number
  was: number | null
  sent_at: string
  confirmed_at: string | null
  error: string | null
  accepted_at: string | null
}

export interface SyncSeenTable {
  integration_id: number
  run_id: number
  kind: string
  remote_id: string
}

export interface TotpSecretsTable {
  user_id: number
  sealed: Buffer
  key_id: string
  confirmed_at: string | null
  last_step: number | null
  created_at: Generated<string>
}

export interface UninstallCleanupsTable {
  integration_id: number
  app_id: number | null
  sealed: Buffer
  key_id: string
  expires_at: string
}

export interface UserPermissionsTable {
  user_id: number
  permission: string
}

export interface UserRolesTable {
  user_id: number
  role_id: number
}

export interface UsersTable {
  id: GeneratedAlways<number>
  created_by: number | null
  company_id: number | null
  name: string
  email: string
  email_verified_at: string | null
  password_hash: string | null
  active: Generated<boolean>
  created_at: Generated<string>
  updated_at: Generated<string>
  deleted_at: string | null
  company_role: string | null
  email_folded: string
  password_tag: string | null
  password_set_at: Generated<string | null>
}

export interface V1CallsTable {
  client_id: number
  method: string
  route: string
  calls: number
  first_called_at: Generated<string>
  last_called_at: Generated<string>
}

export interface WebhookAttemptsTable {
  delivery_id: number
  number: number
  trigger: string
  response_status: number | null
  response_body: string | null
  error: string | null
  duration_ms: number
  at: string
  private_body: Buffer | null
  integration_id: number | null
  to_seal: boolean | null
  reason: ColumnType<JsonValue | null, JsonInput | null | undefined, JsonInput | null>
}

export interface WebhookCatchersTable {
  app_id: number
  token: string
  expires_at: string
}

export interface WebhookDeliveriesTable {
  id: Generated<number>
  webhook_id: number
  event_id: number
  type: string
  subject: string
  state: string
  due_at: Generated<string>
  lease_until: string | null
  attempts: Generated<number>
  failures: Generated<number>
  replayed: Generated<boolean>
  response_status: number | null
  error: string | null
  delivered_at: string | null
  xid: Generated<string>
  created_at: Generated<string>
  updated_at: Generated<string>
  reason: ColumnType<JsonValue | null, JsonInput | null | undefined, JsonInput | null>
}

export interface WebhookEventsTable {
  id: Generated<number>
  app_id: number | null
  integration_id: number | null
  type: string
  subject: string
  data: string
  created_at: Generated<string>
}

export interface WebhookOldSecretsTable {
  id: GeneratedAlways<number>
  webhook_id: number
  secret: Buffer
  key_id: string
  expires_at: string
}

export interface WebhookSubscriptionsTable {
  id: GeneratedAlways<number>
  app_id: number | null
  integration_id: number | null
  event: string | null
  url: string
  secret: Buffer
  key_id: string
  active: Generated<boolean>
  created_at: Generated<string>
  updated_at: Generated<string>
  deleted_at: string | null
  events: Generated<string[]>
  description: string | null
  failing_since: string | null
  disabled_at: string | null
  disabled_reason: string | null
  created_by: number | null
  listens_until: string | null
  integration_ids: number[] | null
  thin: Generated<boolean>
}

export interface Tables {
  access_tokens: AccessTokensTable
  accounts: AccountsTable
  agent_clients: AgentClientsTable
  agent_grants: AgentGrantsTable
  agent_proposals: AgentProposalsTable
  agent_tokens: AgentTokensTable
  alert_channels: AlertChannelsTable
  alert_items: AlertItemsTable
  alert_letters: AlertLettersTable
  alert_mutes: AlertMutesTable
  alert_notifications: AlertNotificationsTable
  alert_readers: AlertReadersTable
  alert_rules: AlertRulesTable
  api_request_minutes: ApiRequestMinutesTable
  api_requests: ApiRequestsTable
  app_roles: AppRolesTable
  app_services: AppServicesTable
  apps: AppsTable
  arrivals: ArrivalsTable
  attentions: AttentionsTable
  audit_blocks: AuditBlocksTable
  audit_checkpoint: AuditCheckpointTable
  audit_entries: AuditEntriesTable
  audit_head: AuditHeadTable
  audit_keys: AuditKeysTable
  budget_shares: BudgetSharesTable
  caught_requests: CaughtRequestsTable
  claim_codes: ClaimCodesTable
  commit_guard: CommitGuardTable
  companies: CompaniesTable
  console_sessions: ConsoleSessionsTable
  credentials: CredentialsTable
  departures: DeparturesTable
  device_authorizations: DeviceAuthorizationsTable
  erased_orders: ErasedOrdersTable
  erasure_shops: ErasureShopsTable
  erasures: ErasuresTable
  flow_runs: FlowRunsTable
  flows: FlowsTable
  gateway_keys: GatewayKeysTable
  heartbeats: HeartbeatsTable
  idempotency_keys: IdempotencyKeysTable
  inbound_work: InboundWorkTable
  install_states: InstallStatesTable
  integration_logs: IntegrationLogsTable
  integration_state: IntegrationStateTable
  integrations: IntegrationsTable
  intent_tokens: IntentTokensTable
  inventory: InventoryTable
  invitations: InvitationsTable
  list_counters: ListCountersTable
  login_addresses: LoginAddressesTable
  logos: LogosTable
  oauth_clients: OauthClientsTable
  operations: OperationsTable
  order_history: OrderHistoryTable
  orders: OrdersTable
  passkey_challenges: PasskeyChallengesTable
  passkeys: PasskeysTable
  password_resets: PasswordResetsTable
  privacy_keys: PrivacyKeysTable
  products: ProductsTable
  quarantine: QuarantineTable
  quota_samples: QuotaSamplesTable
  rate_budgets: RateBudgetsTable
  rate_windows: RateWindowsTable
  recovery_codes: RecoveryCodesTable
  refresh_tokens: RefreshTokensTable
  role_permissions: RolePermissionsTable
  roles: RolesTable
  row_counters: RowCountersTable
  run_turns: RunTurnsTable
  runs: RunsTable
  saved_views: SavedViewsTable
  schedules: SchedulesTable
  service_versions: ServiceVersionsTable
  services: ServicesTable
  shipments: ShipmentsTable
  shop_messages: ShopMessagesTable
  shop_webhooks: ShopWebhooksTable
  sign_in_steps: SignInStepsTable
  signing_keys: SigningKeysTable
  single_sign_on: SingleSignOnTable
  single_sign_on_domains: SingleSignOnDomainsTable
  single_sign_on_subjects: SingleSignOnSubjectsTable
  single_sign_on_trips: SingleSignOnTripsTable
  stock_articles: StockArticlesTable
  stock_balances: StockBalancesTable
  stock_links: StockLinksTable
  stock_marks: StockMarksTable
  stock_movements: StockMovementsTable
  stock_order_lines: StockOrderLinesTable
  stock_parts: StockPartsTable
  stock_places: StockPlacesTable
  stock_pools: StockPoolsTable
  stock_shops: StockShopsTable
  stock_sightings: StockSightingsTable
  stock_tellings: StockTellingsTable
  sync_seen: SyncSeenTable
  totp_secrets: TotpSecretsTable
  uninstall_cleanups: UninstallCleanupsTable
  user_permissions: UserPermissionsTable
  user_roles: UserRolesTable
  users: UsersTable
  v1_calls: V1CallsTable
  webhook_attempts: WebhookAttemptsTable
  webhook_catchers: WebhookCatchersTable
  webhook_deliveries: WebhookDeliveriesTable
  webhook_events: WebhookEventsTable
  webhook_old_secrets: WebhookOldSecretsTable
  webhook_subscriptions: WebhookSubscriptionsTable
}
