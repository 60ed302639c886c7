import type { Db } from '../../runtime/db/connection.ts'
import { orderTrace } from '../../runtime/telemetry/trace.ts'
import type { OrderRecord } from '../orders/order-record-store.ts'
import { historyOfOrders } from '../orders/privacy/history-store.ts'
import { shipmentsOfOrders } from '../shipments/shipment-list-store.ts'
import { attemptsOf, deliveriesAbout, inboundOf, maxOfEach, operationsOf, runsByIds } from './passport-store.ts'
import { inOrder, type TimedStep } from './step.ts'
import { inboundSteps, orderSteps, runSteps, shipmentSteps } from './steps-of-order.ts'
import { webhookSteps, writeBackSteps } from './steps-outwards.ts'

export interface Passport {
  order: OrderRecord
  /** Under which its steps stand in a tracing system, where one is connected. */
  traceId: string
  steps: TimedStep[]
  /** Whether there are older steps that are not shown. */
  truncated: boolean
}

/** Every step of one order, read off the tables that the steps themselves have written: there is no second log. */
export async function readPassport(db: Db, order: OrderRecord): Promise<Passport> {
  const { integration_id: integrationId, id, remote_id: remoteId } = order
  const [history, shipments, inbound, deliveries] = await Promise.all([
    historyOfOrders(db, integrationId, [id]),
    shipmentsOfOrders(db, integrationId, [id]),
    inboundOf(db, integrationId, remoteId),
    deliveriesAbout(db, integrationId, `order:${integrationId}:${id}`),
  ])
  const runIds = [...new Set(history.flatMap(({ run_id: runId }) => (runId === null ? [] : [runId])))]
  const [runs, operations, attempts] = await Promise.all([
    runsByIds(db, integrationId, runIds),
    operationsOf(db, integrationId, remoteId),
    attemptsOf(
      db,
      deliveries.map((row) => row.id),
    ),
  ])
  const steps = [
    ...inboundSteps(inbound),
    ...runSteps(runs),
    ...orderSteps(order, history),
    ...shipmentSteps(shipments),
    ...writeBackSteps(operations),
    ...webhookSteps(deliveries, attempts),
  ]
  const sources = [inbound, operations, deliveries, attempts]
  return {
    order,
    traceId: orderTrace(integrationId, remoteId),
    steps: inOrder(steps),
    truncated: sources.some((rows) => rows.length === maxOfEach),
  }
}
