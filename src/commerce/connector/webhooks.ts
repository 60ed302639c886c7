import { Fault } from '../../lib/fault.ts'
import { isCredentialsRefusal, type Remote, type RemoteAnswer, type RemoteRequest } from '../remote.ts'
import type { AnyFields, Shop, ShopFacts } from '../shop.ts'

/** Events in a shop that we subscribe to. */
export const webhookTopics = [
  'order.created',
  'order.updated',
  'order.cancelled',
  'product.updated',
  'product.deleted',
  'inventory.updated',
  'shipment.updated',
  'app.uninstalled',
  'privacy.customer_data',
  'privacy.customer_redact',
  'privacy.shop_redact',
] as const
export type WebhookTopic = (typeof webhookTopics)[number]

/**
 * Messages from the shop. `verify` is not optional: a connector that cannot distinguish a genuine message from a forged one has no
 * webhooks, and its shop is asked instead.
 */
export interface ConnectorWebhooks<Settings = AnyFields, Credentials = AnyFields> {
  /** Our topics, and the platform's names for each. */
  topics: Readonly<Partial<Record<WebhookTopic, readonly string[]>>>
  /**
   * `api`: we register them, and repair what is missing. `portal`: the platform's own pages do. `posted`: the platform
   * sends them to every app, unasked. `entered`: people enter our address in the shop, which has it to itself.
   */
  registration: Registration<Settings, Credentials>
  /**
   * Whether the message comes from the platform: its signature over the raw bytes, compared in constant time. Pure.
   * `secrets` are the registration's own and, for OAuth, the client's; empty means that nothing can be verified: false.
   */
  verify(delivery: Delivery, secrets: WebhookSecrets): boolean
  /**
   * When a message was sent, in Unix seconds, where its signature covers that; null where it does not. Pure. What was sent
   * long ago, or is yet to be, is no longer genuine.
   */
  sentAt?(delivery: Delivery): number | null
  /**
   * For platforms that sign with a key of their own: which one a message names, and how it is fetched. What came of it is
   * in the `publicKey` of the secrets.
   */
  publicKey?: {
    /** Pure; null for a message that names none. */
    idOf(delivery: Delivery): string | null
    /** The key as text, in whatever form `verify` reads; throws `refused` for an id that the platform does not know. */
    ask(remote: Remote, id: string, client: AnyFields): Promise<string>
  }
  /**
   * Which shop a message says it comes from, for platforms that sign for all shops with one secret; null if it does not
   * say. Pure. A message that came to the address of another shop is refused; one that came to the address of all shops
   * (`webhook_callback/{channel}/0/-`) goes to this one.
   */
  shopOf?(delivery: Delivery): string | null
  /**
   * The same by the platform's own id of the shop, where messages tell that: the `identity` that came with the tokens. Pure.
   * Goes before the name, which may have changed.
   */
  identityOf?(delivery: Delivery): string | null
  /** What a verified message says. Pure. Throws on what it does not understand. */
  read(delivery: Delivery, facts: ShopFacts<Settings>): DeliveryReading
  /** Where the platform does not call us, but leaves its messages in a queue of the operator's. */
  queue?: MessageQueue<Settings, Credentials>
  /** The answer to a question that platforms ask before they send anything; null if this is not one. Pure. */
  handshake?(delivery: Delivery, secrets: WebhookSecrets): { status: number; contentType: string; body: string } | null
}

/** Who can open the queue is the operator; that vouches for what is in it. What is asked and read here is pure. */
export interface MessageQueue<Settings = AnyFields, Credentials = AnyFields> {
  /** The question for some messages; null where the client names no queue. */
  receive(client: AnyFields, call: QueueMoment): QueueCall | null
  read(answer: RemoteAnswer): readonly QueuedMessage[]
  /** Takes out what we have stored. */
  remove(client: AnyFields, receipts: readonly string[], call: QueueMoment): QueueCall
  /** Makes the platform write there about this shop. Repeatable. False where the client does not say where that is. */
  subscribe?(shop: Shop<Settings, Credentials>, client: AnyFields): Promise<boolean>
}

export interface QueueMoment {
  /** Unix time. */
  seconds: number
}

/** The whole address, and the request with its signature on it. */
export interface QueueCall {
  url: string
  request: RemoteRequest
}

export interface QueuedMessage {
  /** What it is taken out by. */
  receipt: string
  body: string
}

export type Registration<Settings, Credentials> =
  | {
      kind: 'portal' | 'posted'
      /**
       * Makes the platform send what concerns this shop as well, where it wants to be asked for each. Repeatable. False
       * where the client does not say that it may be.
       */
      subscribe?(shop: Shop<Settings, Credentials>, client: AnyFields): Promise<boolean>
    }
  | {
      kind: 'entered'
      /** Who makes the secret that messages are signed with: we, and it is entered there; or the shop, and it is given to us. */
      secret: 'ours' | 'theirs'
    }
  | {
      kind: 'api'
      /** All that the shop shows us, those that it has switched off among them. */
      list(shop: Shop<Settings, Credentials>): Promise<readonly RegisteredWebhook[]>
      /** Makes what is missing, for exactly these topics and this address, in their order. Repeatable. */
      register(shop: Shop<Settings, Credentials>, wanted: WantedWebhooks): Promise<readonly RegisteredWebhook[]>
      /**
       * Whether messages carry or are signed with the secret of the registration; so they are, if this is left out. Where
       * the platform's own secret vouches for them, nothing that is there becomes outdated with ours. Pure.
       */
      usesSecret?(credentials: Credentials): boolean
      /** The secret of an app of the merchant's own, where it came with the credentials: kept in the place of ours. Pure. */
      ownSecret?(credentials: Credentials): string | null
      remove(shop: Shop<Settings, Credentials>, remoteId: string): Promise<void>
      /** All of these in one request, where the platform can do that: a goodbye has little time. */
      removeAll?(shop: Shop<Settings, Credentials>, remoteIds: readonly string[]): Promise<void>
    }

export interface WantedWebhooks {
  url: string
  topics: readonly WebhookTopic[]
  secret: string
  /** Where the platform makes the secret itself, and tells it once: it is kept in the place of ours. To be awaited. */
  keepSecret?(secret: string): Promise<void>
  /** Told of each of the platform's names that the shop refuses; without it the first refusal ends the registration. */
  onRefusal?(topic: string, refusal: Fault): void
}

/** Each of the platform's names by itself: one that the shop refuses does not keep out those after it. */
export async function registerEach(
  words: readonly string[],
  { onRefusal }: Pick<WantedWebhooks, 'onRefusal'>,
  make: (word: string) => Promise<RegisteredWebhook>,
): Promise<RegisteredWebhook[]> {
  const registered: RegisteredWebhook[] = []
  for (const word of words) {
    try {
      registered.push(await make(word))
    } catch (error) {
      const isRefusal = error instanceof Fault && error.kind === 'upstream_refused' && !isCredentialsRefusal(error)
      if (!onRefusal || !isRefusal) throw error
      onRefusal(word, error)
    }
  }
  return registered
}

export interface RegisteredWebhook {
  remoteId: string
  topic: string
  url: string
  /** False for one that the platform, or somebody there, has switched off. */
  active: boolean
}

export interface Delivery {
  method: string
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  query: Readonly<Record<string, string>>
  /** Path and query as they came; left out of messages that were fetched. */
  target?: string
  /** The bytes as they came: signatures are over these, not over what a parser makes of them. */
  raw: Buffer
}

export interface WebhookSecrets {
  /** Given at registration; several while one replaces another. */
  registration: readonly string[]
  client: AnyFields
  /** Null where the connector asks for none, or there is none. */
  publicKey?: string | null
}

export interface DeliveryReading {
  /** The platform's id of this message: the same one twice is processed once. Null: it has none, and each is one of its own. */
  deliveryId: string | null
  topic: WebhookTopic | null
  /** What it concerns. Thin messages name it; fat ones bring it. */
  changes: readonly { kind: 'order' | 'product' | 'inventory' | 'shipment'; remoteId: string; raw: unknown | null }[]
  /** When it happened, where the platform says so. */
  at: string | null
  /** Whom a message about privacy concerns; null for all others. For a whole shop both are empty. */
  privacy?: PrivacySubject | null
}

export interface PrivacySubject {
  customer: { remoteId: string | null; email: string | null; phone: string | null } | null
  orderRemoteIds: readonly string[]
}
