import { en } from '../../components/words/en.ts'
import { badge, integrationTone } from '../../parts/status.ts'

/** How a shop is, in the words that merchants read as well. */
const { statuses, reasons } = en.integrations

export const statusName = (status: string): string => statuses[status] ?? status

export const reasonName = (reason: string): string => {
  const plain = reason.replaceAll('_', ' ')
  return reasons[reason] ?? `${plain.charAt(0).toUpperCase()}${plain.slice(1)}.`
}

export const statusBadge = (status: string, reason: string | null = null) =>
  badge(integrationTone(status), statusName(status), { title: reason === null ? '' : reasonName(reason) })
