-- needs: 0061
-- Ranges of ids are as wide as their rows are apart (see row_counters.bucket in runtime/db/lists/row-counters.ts): 1024 rows,
-- and 131072 rows, of one integration. Before, they were 1024 and 131072 ids of all integrations together, and a shop
-- among a thousand others had seven counters for each order.
delete from row_counters where bucket <> -1;

insert into row_counters (integration_id, kind, bucket, n)
select integration_id, kind, bucket, count(*)
from (
  select integration_id, no, kinds,
    first_value(id) over (partition by integration_id, no >> 17 order by id) as coarse,
    first_value(id) over (partition by integration_id, no >> 10 order by id) as fine
  from (
    select integration_id, id, row_number() over (partition by integration_id order by id) - 1 as no,
      array['orders', 'orders:' || status, case when sandbox then 'orders:sandbox' end,
        case when acknowledged_at is null then 'orders:open' else 'orders:acknowledged' end] as kinds
    from orders where deleted_at is null
  ) numbered
) placed
cross join lateral unnest(kinds) kind
cross join lateral (
  values (case when no >> 17 > 0 then -1 - coarse end), (case when no >> 10 & 127 > 0 then fine end)
) ranges(bucket)
where bucket is not null and kind is not null
group by integration_id, kind, bucket;

insert into row_counters (integration_id, kind, bucket, n)
select integration_id, kind, bucket, count(*)
from (
  select integration_id, no, kinds,
    first_value(id) over (partition by integration_id, no >> 17 order by id) as coarse,
    first_value(id) over (partition by integration_id, no >> 10 order by id) as fine
  from (
    select integration_id, id, row_number() over (partition by integration_id order by id) - 1 as no,
      array['products'] as kinds
    from products where deleted_at is null
  ) numbered
) placed
cross join lateral unnest(kinds) kind
cross join lateral (
  values (case when no >> 17 > 0 then -1 - coarse end), (case when no >> 10 & 127 > 0 then fine end)
) ranges(bucket)
where bucket is not null and kind is not null
group by integration_id, kind, bucket;

insert into row_counters (integration_id, kind, bucket, n)
select integration_id, kind, bucket, count(*)
from (
  select integration_id, no, kinds,
    first_value(id) over (partition by integration_id, no >> 17 order by id) as coarse,
    first_value(id) over (partition by integration_id, no >> 10 order by id) as fine
  from (
    select integration_id, id, row_number() over (partition by integration_id order by id) - 1 as no,
      array['shipments'] as kinds
    from shipments
  ) numbered
) placed
cross join lateral unnest(kinds) kind
cross join lateral (
  values (case when no >> 17 > 0 then -1 - coarse end), (case when no >> 10 & 127 > 0 then fine end)
) ranges(bucket)
where bucket is not null and kind is not null
group by integration_id, kind, bucket;
