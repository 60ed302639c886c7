import type { test } from 'vitest'
import type { Write } from '../../src/commerce/connector/parts.ts'
import type { ReadQuery } from '../../src/commerce/connector/reads.ts'
import type { Connector } from '../../src/commerce/connector.ts'
import type { RemoteOrder } from '../../src/commerce/order.ts'
import type { AnyFields, Shop } from '../../src/commerce/shop.ts'
import type { ConformanceShop } from '../support/conformance-shops.ts'
import type { AnyReads } from './reads.ts'

/** A connector on one of the shops that it is tried on. */
export interface Tried {
  connector: Connector
  at(): { stand: ConformanceShop; shop: Shop }
  /** In a real store only where its owner has said that it may be changed. */
  writing: ReturnType<typeof test.runIf>
  /** What the shop lists stays as it is until the first test that writes: those before it read the same list once. */
  listed(orders: AnyReads, asked: Partial<ReadQuery>): Promise<unknown[]>
  /** The same in our model. Translating is pure, as a test holds: what was read once is translated once. */
  translated(orders: AnyReads, asked: Partial<ReadQuery>): Promise<RemoteOrder[]>
}

export const doublesIn = ({ simulator, doubles }: ConformanceShop): readonly unknown[] =>
  doubles?.() ?? simulator?.doubles() ?? []

export const confirmed = async <Input, Result>(
  write: Write<AnyFields, AnyFields, Input, Result>,
  shop: Shop,
  input: Input,
  operation: { id: string },
): Promise<Result | null> => (write.repeatable ? null : await write.confirm(shop, input, operation))
