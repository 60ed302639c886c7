import { createHmac } from 'node:crypto'

/** What is worth being found later: a change, people's data in bulk, a secret that was shown, a way in, an export. */
export const auditKinds = ['change', 'personal_data', 'secret', 'sign_in', 'export'] as const
export type AuditKind = (typeof auditKinds)[number]

/** `refused` also after a part was done: then there is an entry for that as well, of the same request. */
export const auditOutcomes = ['done', 'refused'] as const
export type AuditOutcome = (typeof auditOutcomes)[number]

/** `operator`: at the command line. `system`: by itself, such as the retention. `nobody`: without a token of ours. */
export const auditCallers = ['user', 'client', 'account', 'operator', 'system', 'nobody'] as const
export type AuditCaller = (typeof auditCallers)[number]

/** Ids and names only: neither what was in a field, nor anything about a person but their id and address. */
export interface AuditFacts {
  kind: AuditKind
  operation: string
  /** The same in words. */
  what: string
  /** Which of several things that the operation can do, or why it was refused. */
  detail: string | null
  outcome: AuditOutcome
  caller: AuditCaller
  /** Who it was. Beside an app or an account it is a user of the console who acts for it. */
  user_id: number | null
  client_id: number | null
  account_id: number | null
  app_id: number | null
  integration_id: number | null
  record_type: string | null
  record_id: string | null
  fields: readonly string[]
  address: string | null
  request_id: string | null
}

export interface AuditEntry extends AuditFacts {
  id: number
  at: string
  company_id: number | null
  mac: Buffer
  /** Null until it is sealed. */
  block: number | null
}

const factsInOrder = (facts: AuditFacts) => [
  facts.kind,
  facts.operation,
  facts.what,
  facts.detail,
  facts.outcome,
  facts.caller,
  facts.user_id,
  facts.client_id,
  facts.account_id,
  facts.app_id,
  facts.integration_id,
  facts.record_type,
  facts.record_id,
  facts.fields,
  facts.address,
  facts.request_id,
]

/** Of what was written: nobody without the key can write an entry, or change one before it is sealed. */
export const macOf = (key: Buffer, at: string, facts: AuditFacts): Buffer =>
  hmac(key, ['entry', Date.parse(at), ...factsInOrder(facts)])

export interface Block {
  number: number
  previous: Buffer
  entries: readonly AuditEntry[]
}

/** Of everything in a block and of the block before it: whatever is changed, added or taken away, it is another. */
export const blockHash = (key: Buffer, { number, previous, entries }: Block): Buffer =>
  hmac(key, [
    'block',
    number,
    previous.toString('hex'),
    ...entries.map((entry) => [
      entry.id,
      Date.parse(entry.at),
      entry.company_id,
      entry.mac.toString('hex'),
      ...factsInOrder(entry),
    ]),
  ])

export const checkpointMac = (key: Buffer, { number, hash, removed }: Checkpoint): Buffer =>
  hmac(key, ['checkpoint', number, hash.toString('hex'), removed])

/** The newest block that the retention has taken away, and how many entries have gone so far. */
export interface Checkpoint {
  number: number
  hash: Buffer
  removed: number
}

const hmac = (key: Buffer, parts: readonly unknown[]): Buffer =>
  createHmac('sha256', key).update(JSON.stringify(parts)).digest()
