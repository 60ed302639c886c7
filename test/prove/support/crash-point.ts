import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Fleet } from './fleet.ts'
import { until } from './until.ts'

/** Where a process dies. `before`: what it was about to write never is. `after`: it is written, and nobody knows. */
export interface CrashPoint {
  status: 'planned' | 'sent' | 'confirmed'
  when: 'before' | 'after'
}

export const crashPoints: readonly CrashPoint[] = [
  { status: 'planned', when: 'before' },
  { status: 'planned', when: 'after' },
  { status: 'sent', when: 'before' },
  { status: 'sent', when: 'after' },
  { status: 'confirmed', when: 'before' },
  { status: 'confirmed', when: 'after' },
]

export interface Barrier {
  /** From now on nobody gets an operation into that status. */
  raise(status: CrashPoint['status']): Promise<void>
  /** Until so many stand at it, or there is no more time. */
  waiting(count: () => number): Promise<void>
  /** Once their process is dead: their statements are undone, or done. */
  lower(when: CrashPoint['when']): Promise<void>
  close(): Promise<void>
}

const lock = 4711

/** Statements that move an operation wait in the database, where they can be seen, until somebody decides over them. */
export async function makeBarrier(fleet: Fleet, databaseUrl: string): Promise<Barrier> {
  await fleet.query(`
    create table proof_barrier (status text);
    create function proof_barrier() returns trigger language plpgsql as $$
      begin
        if exists (select from proof_barrier where status = new.status) then
          perform set_config('lock_timeout', '0', true);
          perform pg_advisory_xact_lock(${lock});
        end if;
        return new;
      end $$;
    create trigger proof_barrier before insert or update of status on operations
      for each row execute function proof_barrier()`)
  const holder = new pg.Client({ connectionString: databaseUrl })
  await holder.connect()
  const blocked = async () =>
    await fleet.query<{ pid: number }>(
      `select pid from pg_locks where locktype = 'advisory' and not granted and objid = ${lock}
        and database = (select oid from pg_database where datname = current_database())`,
    )
  return {
    async raise(status) {
      await holder.query(`select pg_advisory_lock(${lock})`)
      await fleet.query('insert into proof_barrier values ($1)', [status])
    },
    async waiting(count) {
      // The statements end by themselves after five seconds.
      const deadline = performance.now() + 4000
      while ((await blocked()).length < count() && performance.now() < deadline) await sleep(20)
    },
    async lower(when) {
      await fleet.query('truncate proof_barrier')
      if (when === 'before')
        for (const { pid } of await blocked()) await fleet.query('select pg_terminate_backend($1)', [pid])
      await holder.query(`select pg_advisory_unlock(${lock})`)
      await until('nobody stands at the barrier', async () => (await blocked()).length === 0)
    },
    close: () => holder.end(),
  }
}
