import { type AttentionKind, attentionKinds, type Found, type Severity, severities } from './attention.ts'

/** When something counts as worth looking at. An app has one of each kind, without doing anything. */
export interface Rule {
  kind: AttentionKind
  active: boolean
  severity: Severity
  /** From how many on; null where there is nothing to count. */
  minimum: number | null
  /** For how long it has to be so; null where that makes no sense. */
  minutes: number | null
  /** The shops that it is about; null is all of them. */
  integration_ids: number[] | null
}

type Usual = Pick<Rule, 'severity' | 'minimum' | 'minutes'>

const rule = (severity: Severity, { minimum = null, minutes = null }: Partial<Usual> = {}): Usual => ({
  severity,
  minimum,
  minutes,
})

const usual: Readonly<Record<AttentionKind, Usual>> = {
  integration_error: rule('critical', { minutes: 0 }),
  webhook_disabled: rule('critical'),
  orders_due: rule('critical', { minimum: 1 }),
  acknowledgements_due: rule('critical', { minimum: 1 }),
  sign_in_failures: rule('warning', { minimum: 10 }),
  second_factor_removed: rule('warning'),
  admin_added: rule('warning'),
  shop_unavailable: rule('warning', { minutes: 0 }),
  run_failed: rule('critical', { minimum: 1 }),
  webhook_failing: rule('warning', { minutes: 0 }),
  deliveries_late: rule('warning', { minimum: 1, minutes: 5 }),
  messages_waiting: rule('warning', { minimum: 1, minutes: 5 }),
  messages_failed: rule('warning', { minimum: 1 }),
  records_quarantined: rule('warning', { minimum: 1 }),
  messages_missing: rule('warning', { minutes: 0 }),
  orders_missing: rule('warning', { minimum: 1 }),
  not_compared: rule('warning'),
  consent_ends: rule('info'),
  installation_unfinished: rule('info'),
}

export const usualRule = (kind: AttentionKind): Rule => ({
  ...{ kind, active: true, integration_ids: null },
  ...usual[kind],
})

/** One of each kind: as the app has it, or as it is by itself. */
export type Rules = ReadonlyMap<AttentionKind, Rule>

export const rulesFrom = (own: readonly Rule[]): Rules => {
  const changed = new Map(own.map((each) => [each.kind, each]))
  return new Map(attentionKinds.map((kind) => [kind, changed.get(kind) ?? usualRule(kind)]))
}

/** Whether something counts, by the rule of its kind. */
export function meets(rules: Rules, found: Found, now: Date): boolean {
  const { active, minimum, minutes, integration_ids: ids } = rules.get(found.kind) ?? usualRule(found.kind)
  if (!active) return false
  if (ids !== null && found.integrationId !== null && !ids.includes(found.integrationId)) return false
  if (minimum !== null && found.count !== null && found.count < minimum) return false
  return minutes === null || found.at === null || now.getTime() - Date.parse(found.at) >= minutes * 60_000
}

export const severityOf = (rules: Rules, kind: AttentionKind): Severity => (rules.get(kind) ?? usualRule(kind)).severity

/** 0 is the worst. */
export const rankOf = (severity: Severity): number => severities.indexOf(severity)
