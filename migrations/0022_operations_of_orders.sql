-- What was changed in the shop for one order: refunds, corrections of parcels, lines called off.
create index operations_order on operations (integration_id, (input ->> 'order_remote_id'));
