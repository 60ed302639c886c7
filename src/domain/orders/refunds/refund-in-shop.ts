import type { Orders, Refunds } from '../../../commerce/connector/parts.ts'
import type { RemoteOrder } from '../../../commerce/order.ts'
import type { LineCancellationDraft, RefundDraft } from '../../../commerce/refund.ts'
import { fractionErrors } from '../../../commerce/rules/quantities.ts'
import {
  reckonLineCancellation,
  reckonRefund,
  whyNotCancelLines,
  whyNotRefund,
} from '../../../commerce/rules/refund-guards.ts'
import type { AnyFields } from '../../../commerce/shop.ts'
import type { FieldWordings } from '../../../lib/fault.ts'
import { databaseTime } from '../../../runtime/db/database-time.ts'
import { fingerprint, namedBy } from '../../operations/operation.ts'
import { keep, type Opened, orderIn, refuse } from '../changes/in-shop.ts'

interface Asked<Draft> {
  draft: Draft
  force: boolean | undefined
  /** Where the order was named. */
  field: string
}

/**
 * Pays money back in the shop, and shows it in our copy at once. The order is read before, since what is left to refund is the
 * shop's to say; whatever speaks against it is said once it is certain that the refund has not been made already.
 */
export async function refundInShop(
  open: Opened,
  refunds: Refunds<AnyFields, AnyFields>,
  { draft, force = false, field }: Asked<RefundDraft>,
): Promise<{ order: RemoteOrder }> {
  const readAt = await databaseTime(open.db)
  const before = await orderIn(open, draft.order_remote_id, field)
  const { wanted, errors } = reckonRefund(before, draft, refunds)
  const plan = namedBy(open.workKey, { kind: 'create_refund' as const, key: fingerprint(draft), input: wanted })
  const check = async () =>
    refuse(field, whyNotRefund(before, refunds, { force }), { ...errors, ...broken(open, draft) })
  const alone = { orderRemoteId: before.remote_id, readAt }
  return await keep(open, await open.write({ ...plan, check, alone, insists: force }, refunds.create))
}

/** Calls off single lines in the shop, in the same way. */
export async function cancelLinesInShop(
  open: Opened,
  cancelLines: NonNullable<Orders<AnyFields, AnyFields>['cancelLines']>,
  { draft, force = false, field }: Asked<LineCancellationDraft>,
): Promise<{ order: RemoteOrder }> {
  const readAt = await databaseTime(open.db)
  const before = await orderIn(open, draft.order_remote_id, field)
  const { wanted, errors } = reckonLineCancellation(before, draft)
  const plan = namedBy(open.workKey, { kind: 'cancel_order_lines' as const, key: fingerprint(draft), input: wanted })
  const check = async () =>
    refuse(field, force ? null : whyNotCancelLines(before), { ...errors, ...broken(open, draft) })
  const alone = { orderRemoteId: before.remote_id, readAt }
  return await keep(open, await open.write({ ...plan, check, alone }, cancelLines))
}

const broken = ({ connector }: Opened, { lines }: Pick<RefundDraft, 'lines'>): FieldWordings =>
  fractionErrors(lines, { field: 'lines', fractions: connector.orders?.fractions ?? false })
