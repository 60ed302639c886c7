import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './support/server.ts'

/** Every column that can hold a text says what it holds of buyers: whoever adds one has to say so too. */

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

interface Words {
  /** With the key of the integration. */
  sealed?: string
  /** What buyers, shops and callers have said before it was sealed; empty since. */
  emptied?: string
  /** Names, amounts, ids and our own words. */
  none?: string
  /** Of merchants and those who work for them. */
  staff?: string
  /** Sealed with the master keys, or hashes, or public by nature. */
  secrets?: string
  /** What apps set up. */
  setUp?: string
}

const tables: Record<string, Words> = {
  // Data of shops.
  erased_orders: { secrets: 'remote_hash' },
  erasure_shops: { none: 'at_table after touched' },
  shop_messages: {
    sealed: 'private private_error private_reason',
    emptied: 'headers query body error',
    none: 'delivery_id topic kind remote_id outcome reason',
  },
  integration_logs: { sealed: 'private', none: 'level event message context' },
  integration_state: { none: 'cursor', secrets: 'tombstone_key' },
  inventory: { none: 'sku location remote_id remote_version' },
  operations: {
    sealed: 'private_input private_result',
    // In the clear of it: the shop's ids of orders, by which it is found.
    none: 'kind key status input result holder receipt',
    emptied: 'error',
  },
  order_history: { sealed: 'private', none: 'status remote_status source note reason' },
  orders: {
    sealed: 'private private_digest remote_record',
    emptied: 'customer billing_address shipping_address note tax_ids attributes tags purchase_order remote_payload',
    // Of lines, refunds and returns what was wished for and why is sealed.
    none:
      'remote_id number status currency items remote_status remote_version payment_status fulfillment_status hold_reason ' +
      'shipping_method admin_url fees refunds returns kept_here service_level fulfilled_by sales_channel presentment',
  },
  privacy_keys: { secrets: 'sealed key_id' },
  products: {
    none: 'remote_id sku name description currency images variants remote_status remote_version remote_payload',
  },
  quarantine: { sealed: 'private', emptied: 'reason payload', none: 'kind remote_id' },
  row_counters: { none: 'kind' },
  runs: { sealed: 'private_result', none: 'resource status result error reason', setUp: 'input' },
  shipments: { none: 'remote_id tracking_number carrier tracking_url status items' },
  sync_seen: { none: 'kind remote_id' },
  // News of them.
  caught_requests: { none: 'headers body' },
  webhook_attempts: { sealed: 'private_body', none: 'trigger response_body error reason' },
  webhook_catchers: { secrets: 'token' },
  webhook_deliveries: { none: 'type subject state error reason' },
  webhook_events: { none: 'type subject data' },
  // Answers that are kept for a day.
  idempotency_keys: { none: 'caller', secrets: 'key_hash fingerprint answer key_id' },
  // Jobs name records by their ids, and fail in our own words.
  'pgboss.bam': { none: 'name status queue table_name command error' },
  'pgboss.job': {
    none: 'name data singleton_key group_id group_tier output dead_letter policy source_name source_output',
  },
  'pgboss.job_dependency': { none: 'child_name parent_name' },
  'pgboss.queue': { none: 'name policy dead_letter table_name singletons_active' },
  'pgboss.queue_stats': { none: 'name' },
  'pgboss.schedule': { none: 'name key kind cron timezone data options' },
  'pgboss.subscription': { none: 'event name' },
  'pgboss.warning': { none: 'type message data' },
  // Connections, and what is set up for them.
  app_services: { setUp: 'settings logo', secrets: 'client client_key_id' },
  apps: { setUp: 'name description url logo accent return_urls agent_writes' },
  arrivals: { none: 'type shop', secrets: 'state_hash sealed key_id code_hash' },
  credentials: { secrets: 'sealed key_id', none: 'lease_holder' },
  flow_runs: { none: 'status error', setUp: 'steps' },
  flows: { setUp: 'name description type trigger steps', none: 'last_run_status' },
  install_states: { none: 'channel shop return_url', secrets: 'state_hash sealed browser_hash' },
  integrations: {
    setUp: 'name description settings logo',
    none: 'type shop status status_reason completeness webhooks messages granted identity read_share',
  },
  schedules: { setUp: 'name resource cron timezone payload' },
  service_versions: { setUp: 'definition' },
  services: { setUp: 'type name description logo auth_type settings definition', secrets: 'client client_key_id' },
  // What a shop says when it is asked to send us messages, which is about no order.
  shop_webhooks: { none: 'address topics last_error holder', secrets: 'sealed key_id' },
  uninstall_cleanups: { secrets: 'sealed key_id' },
  webhook_old_secrets: { secrets: 'secret key_id' },
  webhook_subscriptions: { setUp: 'event url events description', secrets: 'secret key_id', none: 'disabled_reason' },
  // Who may do what, and did.
  access_tokens: { secrets: 'jti', none: 'kind scopes', staff: 'address agent' },
  accounts: { staff: 'remote_id name email settings' },
  app_roles: { none: 'role' },
  audit_blocks: { secrets: 'previous hash' },
  audit_checkpoint: { secrets: 'hash mac' },
  audit_entries: {
    none: 'kind operation what detail outcome caller record_type record_id fields',
    staff: 'address',
    secrets: 'mac',
  },
  audit_head: { secrets: 'hash' },
  audit_keys: { secrets: 'sealed key_id' },
  claim_codes: { secrets: 'code_hash' },
  companies: { staff: 'name email phone website country' },
  console_sessions: { secrets: 'secret_hash', staff: 'address agent provider_session' },
  erasures: { none: 'requested_by named_by' },
  gateway_keys: { secrets: 'key_hash' },
  intent_tokens: { secrets: 'token_hash', none: 'scopes' },
  invitations: { staff: 'email', none: 'role', secrets: 'token_hash' },
  login_addresses: { secrets: 'address_hash' },
  logos: { setUp: 'name mime_type bytes' },
  device_authorizations: { staff: 'address agent', none: 'scopes state', secrets: 'device_hash user_hash' },
  oauth_clients: { setUp: 'name redirect', none: 'grant_types scopes known_as', secrets: 'secret_hash' },
  passkey_challenges: { secrets: 'challenge_hash' },
  passkeys: { staff: 'name', secrets: 'credential_id public_key transports' },
  password_resets: { secrets: 'token_hash' },
  recovery_codes: { secrets: 'code_hash' },
  refresh_tokens: { secrets: 'token_hash', none: 'scopes' },
  role_permissions: { none: 'permission' },
  roles: { none: 'name' },
  sign_in_steps: { secrets: 'secret_hash', staff: 'provider_session' },
  signing_keys: { none: 'kid alg', secrets: 'public_jwk private_key' },
  single_sign_on: { setUp: 'issuer client_id default_role', secrets: 'client_secret key_id' },
  single_sign_on_domains: { setUp: 'domain proof' },
  single_sign_on_subjects: { staff: 'subject' },
  single_sign_on_trips: { secrets: 'state_hash browser_hash' },
  totp_secrets: { secrets: 'sealed key_id' },
  user_permissions: { none: 'permission' },
  users: { staff: 'name email email_folded', none: 'company_role', secrets: 'password_hash password_tag' },
  // Calls of the API: of a body only what its schema says that it may be kept.
  api_requests: { staff: 'address', none: 'source caller method route path query detail' },
  api_request_minutes: { none: 'caller' },
  // What needs attention, and who is told.
  alert_channels: {
    setUp: 'name type delivery severity daily_at quiet_from quiet_to time_zone',
    staff: 'hint',
    none: 'last_error',
    secrets: 'address key_id',
  },
  alert_items: { none: 'what' },
  alert_letters: { setUp: 'subject body kinds' },
  alert_mutes: { none: 'kind cause' },
  alert_notifications: { none: 'state error' },
  alert_rules: { setUp: 'kind severity' },
  attentions: { none: 'kind cause reason severity' },
  // The stock that shops share: articles and pieces, and orders by their ids.
  stock_articles: { none: 'sku barcode name' },
  stock_links: { none: 'sku remote_id location made_by error' },
  stock_marks: { none: 'what' },
  stock_movements: { none: 'kind source key', staff: 'note' },
  stock_order_lines: { none: 'line' },
  stock_places: { setUp: 'name' },
  stock_pools: { setUp: 'mode' },
  stock_shops: { setUp: 'by_hand location', none: 'holder' },
  stock_sightings: { none: 'resolution' },
  stock_tellings: { none: 'error' },
  // Agents, and what they want changed.
  agent_clients: { setUp: 'name uri redirect_uris', secrets: 'address_hash' },
  agent_grants: { setUp: 'tools' },
  agent_proposals: { none: 'tool status', secrets: 'sealed key_id wish' },
  agent_tokens: { none: 'kind redirect_uri', secrets: 'token_hash challenge' },
  // What people look at in lists: what of it they have typed is their own, and goes with them.
  saved_views: { setUp: 'list name columns', staff: 'filters' },
  // Counters, clocks and leases.
  budget_shares: { none: 'key shop' },
  heartbeats: { none: 'name' },
  inbound_work: { none: 'holder' },
  list_counters: { none: 'list' },
  migrations: { none: 'name checksum needs' },
  quota_samples: { none: 'quota' },
  rate_budgets: { none: 'key' },
  rate_windows: { staff: 'key' },
  run_turns: { none: 'queue tenant' },
  v1_calls: { none: 'method route' },
}

test('every column that can hold a text says what it holds of buyers', async () => {
  const { rows } = await sql<{ column: string }>`
    select case when n.nspname = 'public' then '' else n.nspname || '.' end || c.relname || '.' || a.attname as column
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    where c.relkind in ('r', 'p') and not c.relispartition and n.nspname in ('public', 'pgboss')
      and a.attnum > 0 and not a.attisdropped
      and format_type(a.atttypid, null) in ('text', 'text[]', 'json', 'jsonb', 'bytea', 'character varying', 'xml')`.execute(
    server.context.db,
  )
  const said = Object.entries(tables).flatMap(([table, words]) =>
    Object.values(words).flatMap((columns: string) => columns.split(' ').map((column) => `${table}.${column}`)),
  )
  expect(said.toSorted()).toEqual(rows.map(({ column }) => column).toSorted())
})

test('what is sealed is bytes, so that nobody writes a text into it', async () => {
  const sealed = Object.entries(tables).flatMap(([table, { sealed: columns }]) =>
    columns ? columns.split(' ').map((column) => `${table}.${column}`) : [],
  )
  const { rows } = await sql<{ column: string }>`
    select table_name || '.' || column_name as column from information_schema.columns
    where table_schema = 'public' and data_type = 'bytea' and table_name || '.' || column_name = any(${sealed}::text[])`.execute(
    server.context.db,
  )
  expect(rows.map(({ column }) => column).toSorted()).toEqual(sealed.toSorted())
})
