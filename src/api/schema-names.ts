import type { TSchema } from 'typebox'
import { companySchema } from './v1/views/company.ts'
import { accountSchema } from './v2/views/account.ts'
import { appSchema } from './v2/views/app.ts'
import { auditSchema } from './v2/views/audit.ts'
import { clientSchema } from './v2/views/client.ts'
import { erasureSchema } from './v2/views/erasure.ts'
import { flowSchema } from './v2/views/flow.ts'
import { flowRunSchema } from './v2/views/flow-run.ts'
import { inboundDeliverySchema } from './v2/views/inbound-delivery.ts'
import { integrationSchema } from './v2/views/integration.ts'
import { levelSchema } from './v2/views/inventory-level.ts'
import { logSchema } from './v2/views/log.ts'
import { historySchema, itemSchema, orderSchema } from './v2/views/order.ts'
import { overviewSchema } from './v2/views/overview.ts'
import { passportSchema } from './v2/views/passport.ts'
import { productSchema } from './v2/views/product.ts'
import { runSchema } from './v2/views/run.ts'
import { scheduleSchema } from './v2/views/schedule.ts'
import { capabilitiesSchema, publicServiceSchema, serviceSchema } from './v2/views/service.ts'
import { shipmentSchema } from './v2/views/shipment.ts'
import { userSchema } from './v2/views/user.ts'
import { deliverySchema, webhookSchema } from './v2/views/webhook.ts'

/** How the OpenAPI document, and the client library made from it, call the records of version 2.0. */
export const schemaNames: ReadonlyMap<TSchema, string> = new Map<TSchema, string>([
  [accountSchema, 'Account'],
  [appSchema, 'App'],
  [auditSchema, 'AuditEntry'],
  [capabilitiesSchema, 'Capabilities'],
  [clientSchema, 'Client'],
  [companySchema, 'Company'],
  [deliverySchema, 'Delivery'],
  [erasureSchema, 'Erasure'],
  [flowSchema, 'Flow'],
  [flowRunSchema, 'FlowRun'],
  [inboundDeliverySchema, 'InboundDelivery'],
  [integrationSchema, 'Integration'],
  [levelSchema, 'InventoryLevel'],
  [logSchema, 'LogEntry'],
  [orderSchema, 'Order'],
  [historySchema, 'OrderHistoryEntry'],
  [itemSchema, 'OrderLine'],
  [overviewSchema, 'Overview'],
  [passportSchema, 'Passport'],
  [productSchema, 'Product'],
  [publicServiceSchema, 'PublicService'],
  [runSchema, 'Run'],
  [scheduleSchema, 'Schedule'],
  [serviceSchema, 'Service'],
  [shipmentSchema, 'Shipment'],
  [userSchema, 'User'],
  [webhookSchema, 'Webhook'],
])
