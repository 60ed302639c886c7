import type { Connector } from '../../../commerce/connector.ts'
import type { RemoteOrder } from '../../../commerce/order.ts'
import { say } from '../../../commerce/words/say.ts'
import { type FieldWordings, invalid, invalidField } from '../../../lib/fault.ts'
import type { Wording } from '../../../lib/words/wording.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import type { Context } from '../../context.ts'
import type { Integration } from '../../integrations/integration.ts'
import type { Written } from '../../operations/perform-write.ts'
import { look } from '../../shop/look-first.ts'
import type { OpenShop } from '../../shop/open-remote.ts'
import { useShop } from '../../shop/use-shop.ts'
import { isKnownToShop, type Order } from '../order.ts'
import { showOrder } from '../show-order.ts'

/** A shop in which something is to be changed, and the copy of its orders that is to show it. */
export type Opened = OpenShop & Pick<Context, 'db' | 'transaction'> & { workKey: string | null }

/** The order as the shop has it now: what may be done with it is the shop's to say. */
export async function orderIn(open: Opened, remoteId: string, field: string): Promise<RemoteOrder> {
  const order = await look(open, remoteId, { force: false, field })
  if (!order) throw invalidField(field, say('orders_unreadable'))
  return order
}

export function refuse(field: string, why: Wording | null, errors: FieldWordings): void {
  if (Object.keys(errors).length > 0) throw invalid(errors)
  if (why !== null) throw invalidField(field, why)
}

/** Our copy shows it at once. */
export async function keep(
  open: Opened,
  { result: order, settle }: Written<RemoteOrder>,
  /** What else follows, once. */
  also?: (trx: Db, order: RemoteOrder) => Promise<void> | undefined,
): Promise<{ order: RemoteOrder }> {
  await open.transaction(async (trx) => {
    if (await settle(trx)) await also?.(trx, order)
    await showOrder(trx, open, order)
  })
  return { order }
}

/** Works in the shop of an order that we hold. */
export async function inShopOf<Part>(
  context: Context,
  integration: Integration,
  { order, workKey }: { order: Pick<Order, 'remote_id' | 'remote_version'>; workKey: string | null },
  choose: (connector: Connector) => Part | undefined,
  { missing, work }: { missing: string; work: (open: Opened, part: Part) => Promise<unknown> },
): Promise<void> {
  if (!isKnownToShop(order)) throw invalidField('order', say('kept_here_only'))
  const { db, transaction } = context
  const integrationId = integration.id
  const done = await useShop(context, integration, choose, async (shop, part, write, connector) => {
    await work({ integrationId, connector, shop, write, db, transaction, workKey }, part)
    return true
  })
  if (done === null) throw invalidField('order', missing)
}
