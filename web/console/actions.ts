import { en } from '../components/words/en.ts'

/** What can be started by hand and takes a while, the useful ones first. */
const long = ['sync_orders', 'sync_products', 'sync_inventory', 'reconcile', 'test_connection']

export const longActions = (all: readonly string[]): string[] => long.filter((name) => all.includes(name))

/** `create_shipment` is read as "Create shipment" where it has no better name. */
export const actionName = (resource: string): string => {
  const plain = resource.replaceAll('_', ' ')
  return en.schedules.actions[resource] ?? plain.charAt(0).toUpperCase() + plain.slice(1)
}
