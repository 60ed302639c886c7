/**
 * What is waited for comes when it comes: a machine that is slow, or stands still for seconds, is no fault. So no test says how
 * long it waits; this ends what never comes.
 */
export const waitMs = 120_000

/** Of requests and use cases for the database: what is tested is seldom how long they may wait. */
export const patience = {
  connectTimeoutMs: waitMs,
  statementTimeoutMs: waitMs,
  lockTimeoutMs: waitMs,
  idleTransactionMs: waitMs,
}
