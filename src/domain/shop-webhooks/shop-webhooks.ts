import type { Registration, WebhookTopic } from '../../commerce/connector/webhooks.ts'
import type { Connector } from '../../commerce/connector.ts'
import type { AnyFields } from '../../commerce/shop.ts'
import type { Context } from '../context.ts'
import type { Integration } from '../integrations/integration.ts'

/** The webhooks registered in a shop, as far as we know. */
export interface ShopWebhooks {
  integration_id: number
  /** Where the shop is to send to. */
  address: string
  /** The newest first; two while one replaces the other. */
  secrets: readonly string[]
  /** Whether the newest secret is so old that another should take its place. */
  stale: boolean
  /** As the platform names them. */
  topics: readonly string[]
  /** Null until what the shop holds has been made with the newest secret. */
  registered_at: string | null
  /** Whether what the shop held before the newest secret is gone. */
  cleared: boolean
  /** When the shop last said what it sends. */
  checked_at: string | null
  last_error: string | null
}

/** Where the secrets live; sealed ones that are moved to another row do not open. */
export const shopSecretsPlace = (integrationId: number): string => `shop_webhooks|sealed|${integrationId}`

/** Names the integration where several share the rest of the address. */
export const integrationParameter = 'integration'

/** Where the shop sends to. `shared`: another integration of the same account (or of none) is on the same shop. */
export function callbackAddress(
  { publicUrl }: Pick<Context, 'publicUrl'>,
  { id, type, account_id, shop }: Pick<Integration, 'id' | 'type' | 'account_id' | 'shop'>,
  shared: boolean,
): string {
  const path = `${publicUrl}/api/1.0/webhook_callback/${type}/${account_id ?? 0}/${encodeURIComponent(shop)}`
  return shared ? `${path}?${integrationParameter}=${id}` : path
}

export type ByApi = Extract<Registration<AnyFields, AnyFields>, { kind: 'api' }>

/** Null where there is nothing for us to register. */
export function registrationOf(
  connector: Connector | undefined,
): { register: ByApi; topics: readonly WebhookTopic[] } | null {
  const webhooks = connector?.webhooks
  if (webhooks?.registration.kind !== 'api') return null
  const topics = Object.keys(webhooks.topics).filter(isTopicOf(webhooks.topics))
  // Whatever happens to the others: that we were removed must not go unnoticed.
  const sorted = topics.toSorted((a, b) => Number(b === 'app.uninstalled') - Number(a === 'app.uninstalled'))
  return { register: webhooks.registration, topics: sorted }
}

const isTopicOf =
  (topics: Readonly<Partial<Record<WebhookTopic, readonly string[]>>>) =>
  (name: string): name is WebhookTopic =>
    Object.hasOwn(topics, name)
