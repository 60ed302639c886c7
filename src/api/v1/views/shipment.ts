/** The same in both versions. */
export { shipmentSchema, shipmentView } from '../../v2/views/shipment.ts'
