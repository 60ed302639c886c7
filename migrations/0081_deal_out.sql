-- Fewer pieces of an article than this are dealt out among the shops of the pool: each is offered in one of them only (decision 35).
alter table stock_pools add column deal_below int not null default 0 check (deal_below >= 0);
