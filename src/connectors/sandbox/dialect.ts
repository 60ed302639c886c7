import type { AcknowledgeResult, Operation, RawPage, ReadQuery } from '../../commerce/connector.ts'
import type { Granted } from '../../commerce/connector-auth.ts'
import type { RegisteredWebhook } from '../../commerce/connector-webhooks.ts'
import type { InventoryLevel, InventoryResult, InventorySetting } from '../../commerce/inventory.ts'
import type { OrderDraft, RemoteOrder } from '../../commerce/order.ts'
import type { ProductDraft, RemoteProduct } from '../../commerce/product.ts'
import type { RemoteShipment, ShipmentDraft } from '../../commerce/shipment.ts'
import type { Credentials, SandboxFacts, SandboxShop } from './settings.ts'

/** All that the connector has to know about one way of speaking. What a dialect can not do is left out. */
export interface Dialect {
  /** Which of the connector's credentials it needs. */
  needs: readonly (keyof Credentials)[]
  prove(shop: SandboxShop): Promise<void>
  /** Tokens for what was typed, or for tokens that end. */
  renew?(shop: SandboxShop): Promise<Granted<Credentials>>
  orders: Reads<RemoteOrder> & {
    get(shop: SandboxShop, remoteId: string): Promise<unknown>
    /** Whether the platform itself can tell by status; else all that it lists are looked at. */
    selects: boolean
    create?: Send<OrderDraft, RemoteOrder>
    /** The order that was made under this operation, null if none was. */
    findMade?: Confirm<OrderDraft, RemoteOrder>
    cancel: Send<{ remoteId: string; reason: string | null }, RemoteOrder>
  }
  /** Left out where the platform does not want to be told. */
  acknowledge?: Send<readonly string[], readonly AcknowledgeResult[]>
  products: Reads<RemoteProduct> & {
    get(shop: SandboxShop, remoteId: string): Promise<unknown>
    export: Send<ProductDraft, RemoteProduct>
  }
  inventory: Reads<InventoryLevel> & { set: Send<readonly InventorySetting[], readonly InventoryResult[]> }
  ship: Send<ShipmentDraft, RemoteShipment>
  findShipped: Confirm<ShipmentDraft, RemoteShipment>
  webhooks?: {
    list(shop: SandboxShop): Promise<readonly RegisteredWebhook[]>
    /** `topic` is the platform's word. */
    create(shop: SandboxShop, wanted: { url: string; topic: string; secret: string }): Promise<RegisteredWebhook>
    remove(shop: SandboxShop, remoteId: string): Promise<void>
    /** The platform's words among those of all dialects. */
    knows(topic: string): boolean
  }
}

interface Reads<Item> {
  list(shop: SandboxShop, query: ReadQuery): Promise<RawPage>
  translate(raw: unknown, facts: SandboxFacts): Item
}

type Send<Input, Result> = (shop: SandboxShop, input: Input, operation: Operation) => Promise<Result>
type Confirm<Input, Result> = (shop: SandboxShop, input: Input, operation: Operation) => Promise<Result | null>

/** The ledger of the simulator counts by it. */
export const signed = ({ id }: Operation) => ({ 'x-operation-id': id })
