/**
 * Everything that can stand in the log of an integration, by code. `reason` is why something failed, with a code of its own or in the
 * words of a shop. Other languages are in `web/components/reasons`; a test holds them against this.
 */
export const logSentences = {
  'integration.created': 'Integration created for {shop}.',
  'integration.installed': 'Connected to {shop}.',
  'integration.renewed': "{shop} has given new access from the platform's own pages.",
  'integration.trip_refused':
    'Somebody came back from the platform in another browser than the one that set out: nothing was connected.',
  'integration.uninstalled': 'Disconnected from {shop}; the credentials were destroyed.',
  'integration.gateway_key_rotated': 'New gateway key created; the previous one expires in 24 hours.',
  'integration.claimed': 'Claimed.',
  'integration.claim_code_made': 'A code was made by which the integration can be claimed for ten minutes.',
  'integration.status_changed': '{from} became {to}.',
  'integration.credentials_rejected': 'The shop rejected the credentials.',
  'integration.missing_rights': 'The credentials lack rights in the shop.',
  'integration.failed': 'The connection failed.',
  'integration.failed_because': '{reason}',
  'integration.recovered': '{shop} accepts the credentials again.',
  'integration.consent_ending': '{shop} has to be connected again by {at}: until then the merchant has agreed.',
  'integration.address_changed':
    'The address of the shop was changed, so its credentials were destroyed: connect the shop again.',
  'integration.farewell': '{webhooks} webhooks were removed from the shop.[ {remains}]',
  'integration.farewell_late':
    'Cleanup at the shop timed out; it may keep sending webhooks for a while, which are rejected.',

  'credentials.refresh_failed': 'The tokens could not be refreshed; the current ones are still valid.',
  'credentials.none_valid': 'There are no valid tokens.',
  'credentials.rejected_again': 'The shop rejected credentials that were just refreshed: it must be reconnected.',
  'credentials.not_renewed': 'The platform refused to renew the tokens: the shop must be reconnected.',
  'rights.withheld': 'The shop leaves out what the credentials may not see: {right}. Grant it under {place}.',

  'run.synced':
    '{what}: {read} read[, {inserted} new][, {updated} changed][, {deleted} removed][, {set_aside} quarantined].',
  'run.nothing_new': '{what}: {read} read, nothing new.',
  'run.completed': 'Completed: {action}.',
  'run.cancelled': 'Cancelled.',
  'run.cancelled_because': '{reason}',
  'run.failed': 'The run failed.',
  'run.failed_because': '{reason}',
  'run.waiting': 'The shop is unavailable. Retrying in {seconds} s.',
  'run.set_aside': '{records} {kind} failed validation and were quarantined.',
  'run.suspicious_deletes': '{unseen} of {held} {kind} are missing from the shop; nothing was deleted.',
  synced_orders: 'Orders synced',
  synced_products: 'Products synced',
  synced_inventory: 'Stock synced',
  reconciled: 'Compared with the shop',
  kind_orders: 'orders',
  kind_products: 'products',
  kind_inventory: 'inventory',

  skipped: 'Skipped: the previous run is still in progress.',
  'schedule.failed': '{reason}',
  'flow.started': 'Started "{flow}".',
  'flow.completed': 'Flow completed.',
  'flow.cancelled': '{reason}',
  'flow.failed': 'Step {step} ({action}): it failed.',
  'flow.failed_because': 'Step {step} ({action}): {reason}',

  'action.completed': 'Completed[: {action}].',
  'action.failed': 'Failed[: {action}].',
  'action.failed_because': '{reason}',
  'operation.unknown': 'The shop did not confirm the change; it will be checked before the change is sent again.',
  'operation.given_up': 'Could not confirm whether the shop applied the change; it is safe to retry.',

  'order.acknowledgement_due': 'Order {number} has not been acknowledged; the platform’s deadline is {at}.',
  'orders.unknown_status': '{orders} orders are on hold: {reasons}.',
  unknown_status: 'unknown status: {status}[ ({setting} can say what it means)]',
  'returns.unreadable': 'A return could not be read.',
  'returns.unreadable_because': 'A return could not be read: {reason}',
  'returns.unknown_orders': 'Returns of orders that are not held: {returns}.',
  'returns.refused': 'Returns cannot be read.',
  'returns.refused_because': 'Returns cannot be read: {reason}',

  'webhooks.registered': 'Subscribed to {topics} event types of the shop.',
  'webhooks.repaired':
    '{missing} webhooks were missing and {duplicate} were duplicates. The shop is read for what they did not report.',
  'webhooks.duplicates_removed': '{missing} webhooks were missing and {duplicate} were duplicates.',
  'webhooks.topics_refused': '{refusals} The shop is polled for them.',
  'webhooks.topic_refused': 'The shop refuses {topics}: {reason}',
  'webhooks.no_queue': 'The platform does not write to the queue: {reason}',
  'webhooks.no_messages': 'The platform sends no messages about the shop: {reason}',
  'webhooks.not_checked': 'The webhooks could not be checked; the shop is polled as well. {reason}',
  'webhooks.not_registered': 'The webhooks could not be registered; the shop is polled instead. {reason}',
  'webhooks.silent':
    '{orders} new or changed orders were found by asking: the shop had sent no message about them. Its webhooks are checked now.',
  'webhooks.replayed': 'Replaying a shop webhook.',
  'webhooks.given_up': 'A shop webhook could not be processed.',
  'webhooks.given_up_because': 'A shop webhook could not be processed: {reason}',
  'webhooks.not_parsed': '{webhooks} shop webhooks could not be parsed.',
  'webhooks.set_aside': '{records} of the {kind} sent by the shop failed validation and were quarantined.',
  'webhooks.uninstalled': 'The merchant uninstalled the app from {shop}.',
  'webhooks.uninstall_unproved':
    'The app was reported as uninstalled, but the shop still accepts the credentials: nothing was changed.',
  'webhook.disabled_gone': 'A webhook was disabled. The endpoint answered 410 Gone.',
  'webhook.disabled_failing': 'A webhook was disabled. Every attempt has failed for five days.',

  'stock.not_cancelled': 'Nothing is left for the order, and it could not be cancelled: {reason}',
  'stock.not_told_one': 'The shop did not take the level of an article.',
  'stock.not_told': 'The shop did not take the level of {articles} articles.',
  'stock.not_told_because': '{what} {reason}',

  'privacy.customer_redact': 'Customer data redacted in {orders} orders (platform request).',
  'privacy.customer_data': 'A customer requested their data through the platform; {orders} orders are affected.',
  'privacy.customer_erased': 'A customer was erased: {orders} orders, and whatever else named the person.',
  'privacy.retention_ended': 'Customer data redacted in {orders} orders that were delivered, or left, {days} days ago.',
  'privacy.erasure_scheduled':
    'All data of the shop will be deleted in seven days (platform request), unless it is connected again.',
  'privacy.shop_redact': 'All data of the shop is deleted (platform request).',
  'retention.orders_deleted':
    '{orders} orders were deleted that had been placed more than {days} days ago (retention of the app).',

  status_ACTIVE: 'ACTIVE',
  status_PENDING: 'PENDING',
  status_INACTIVE: 'INACTIVE',
  status_ERROR: 'ERROR',
  status_UNINSTALLED: 'UNINSTALLED',
} as const
