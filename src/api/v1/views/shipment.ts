/** Version 1.0 shows shipments as version 2.0 does; when one of them must differ, it differs here. */
export { shipmentSchema, shipmentView } from '../../v2/views/shipment.ts'
