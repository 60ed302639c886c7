import type { WebhookSecrets } from '../../../src/commerce/connector/webhooks.ts'
import type { RemoteRequest } from '../../../src/commerce/remote.ts'
import type { AnyFields } from '../../../src/commerce/shop.ts'
import type { VendorSpecification } from '../checkers/checker.ts'

/** What the conformance suite has to know of a platform beside how it answers. Each has a file of its own here. */
export interface PlatformFacts {
  /** What its requests and answers are held against, wherever the files are at hand. */
  specifications: readonly VendorSpecification[]
  /** Statuses that mean something else on this platform than they usually do. */
  statuses?: Readonly<Record<number, 'unauthorized' | 'throttled' | 'away'>>
  /** Where an order that is paid may be sent, but not cancelled any more. */
  cancels?: 'unpaid'
  /** What its messages are verified with; the secret of the registration by default. */
  secrets?(secret: string): WebhookSecrets
  /** Shops whose keys may not do everything, and the rights that are then missed. */
  lacking: readonly (readonly [variant: Readonly<Record<string, string>>, right: RegExp])[]
  /** What is learnt of a shop whose host drops the Authorization header; `said` where the platform has no other way. */
  withoutHeader?: AnyFields | 'said'
  /** Why no two articles of a shop have the same SKU, where the platform sees to that. */
  skusOnce?: string
  /** How somebody at the shop switches a webhook off, where that can be done. */
  switchOff?(remoteId: string): RemoteRequest
  /** How what was made for a test is taken out of a real store again, where that can be done. */
  remove?(kind: 'order' | 'product', remoteId: string): RemoteRequest
  /**
   * The platform signs for everybody with a key of its own: a message is genuine wherever it arrives, and only the shop
   * that it names says where it belongs. All who hold that shop may believe it.
   */
  signsForAll?: true
  /** The body itself is signed, and no header says anything. */
  signsInBody?: true
  /** A key comes along with the message, and nothing signs what it says: it may only name what is to be asked for. */
  unsigned?: true
}
