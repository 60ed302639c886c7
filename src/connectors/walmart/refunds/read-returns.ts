import type { ReturnList, ReturnQuery } from '../../../commerce/connector/parts.ts'
import type { RawPage } from '../../../commerce/connector/reads.ts'
import type { OrderReturn, RemoteReturn } from '../../../commerce/order.ts'
import {
  type Fields,
  fieldsIn,
  fieldsOf,
  idIn,
  maybeFields,
  maybeText,
  maybeTime,
  numberIn,
  recordsIn,
  textIn,
  timeIn,
} from '../../../commerce/reading.ts'
import { refused } from '../../../commerce/remote.ts'
import { say } from '../../../commerce/words/say.ts'
import { ask } from '../ask.ts'
import type { Credentials, Settings, WalmartShop } from '../settings.ts'

/** Walmart lists returns by themselves; it agrees to them for the seller. */
export const returns: ReturnList<Settings, Credentials> = { list, translate: toReturns }

const maxReturns = 200
const theBeginning = '2013-01-01T00:00:00Z'

/** Those of goods that Walmart sends are a list of their own. */
const listsOf = ({ settings: { fulfilled_by: by = 'seller' } }: WalmartShop): readonly string[] =>
  by === 'all' ? ['N', 'Y'] : [by === 'walmart' ? 'Y' : 'N']

/** A page names the next one as a query that is ready to be asked. */
async function list(shop: WalmartShop, { updatedSince, cursor, limit }: ReturnQuery): Promise<RawPage> {
  const lists = listsOf(shop)
  const [, which = lists[0] ?? 'N', page] = /^([NY])(?: (\?\S{1,2000}))?$/.exec(cursor ?? lists[0] ?? 'N') ?? []
  if (!lists.includes(which)) throw refused(say('invalid_cursor'))
  const since =
    updatedSince === null ? { returnCreationStartDate: theBeginning } : { returnLastModifiedStartDate: updatedSince }
  const question = { ...since, limit: String(Math.min(limit, maxReturns)), ...(which === 'Y' && { isWFSEnabled: 'Y' }) }
  const query = page === undefined ? question : Object.fromEntries(new URLSearchParams(page))
  const answer = await ask(shop, { path: '/v3/returns', budget: 'list_returns', query })
  // Of a list without anything in it Walmart says that it is not there.
  const body = answer === null ? {} : fieldsOf(answer)
  const items = body['returnOrders'] == null ? [] : recordsIn(body, 'returnOrders')
  const next = items.length === 0 ? null : maybeText(maybeFields(body, 'meta') ?? {}, 'nextCursor')
  const following = lists[lists.indexOf(which) + 1] ?? null
  return { items, next: next === null ? following : `${which} ${next}`, total: null }
}

/** A return may bring lines of several orders of the same purchase. */
function toReturns(raw: unknown): RemoteReturn[] {
  const record = fieldsOf(raw)
  const requested = timeIn(record, 'returnOrderDate')
  const byOrder = Map.groupBy(recordsIn(record, 'returnOrderLines'), (line) => textIn(line, 'purchaseOrderId'))
  return [...byOrder].map(([order, lines]) => {
    const steps = lines.map(stepOf)
    const times = lines.flatMap((line) => [
      maybeTime(line, 'statusTime'),
      ...eventsIn(line).map((one) => maybeTime(one, 'eventTime')),
    ])
    return {
      order_remote_id: order,
      updated_at: times.reduce<string>((latest, time) => (time !== null && time > latest ? time : latest), requested),
      told: {
        remote_id: textIn(record, 'returnOrderId'),
        status: together(steps),
        remote_status: [...new Set(lines.map((line) => maybeText(line, 'status') ?? 'UNKNOWN'))].join(', '),
        requested_at: requested,
        lines: lines.map((line) => ({
          order_line_remote_id: idIn(line, 'purchaseOrderLineNumber'),
          quantity: numberIn(fieldsIn(line, 'quantity'), 'measurementValue'),
          reason: maybeText(line, 'returnReason'),
        })),
      },
    }
  })
}

type Step = OrderReturn['status']

const steps: Readonly<Record<string, Step | undefined>> = {
  INITIATED: 'requested',
  DELIVERED: 'received',
  COMPLETED: 'completed',
  CANCELLED: 'cancelled',
  // Where the latest event says more.
  'INITIATED RETURN_IN_TRANSIT': 'approved',
  'COMPLETED RETURN_CANCELLED': 'cancelled',
}

const eventsIn = (line: Fields): readonly Fields[] =>
  line['returnTrackingDetail'] == null ? [] : recordsIn(line, 'returnTrackingDetail')

function stepOf(line: Fields): Step {
  const latest = eventsIn(line).toSorted((a, b) => numberIn(b, 'sequenceNo') - numberIn(a, 'sequenceNo'))[0]
  const status = maybeText(line, 'status') ?? ''
  return steps[`${status} ${latest ? maybeText(latest, 'eventTag') : ''}`] ?? steps[status] ?? 'unknown'
}

const isBack = (step: Step): boolean => step === 'received' || step === 'completed'

/** Lines move one by one; those that were called off do not hold up the others. */
function together(all: readonly Step[]): Step {
  const left = all.filter((step) => step !== 'cancelled')
  const [first = 'cancelled'] = left
  if (left.every((step) => step === first)) return first
  if (left.every(isBack)) return 'received'
  return left.some(isBack) ? 'partially_received' : first
}
