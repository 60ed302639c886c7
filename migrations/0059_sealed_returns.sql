-- Reasons of returns are sealed with the rest that buyers have written: those from before are found by the same index.
drop index orders_to_seal;
create index orders_to_seal on orders (integration_id, id) where redacted_at is null and (
  private is null or jsonb_path_exists(returns, '$[*].lines[*].reason ? (@ != null)'));
