import { say } from '../../commerce/words/say.ts'
import { Unreadable } from '../../lib/words/unreadable.ts'

/** Walmart names countries with three letters; these are where it sends to. */
const byThree: Readonly<Record<string, string>> = {
  USA: 'US',
  PRI: 'PR',
  GUM: 'GU',
  VIR: 'VI',
  ASM: 'AS',
  MNP: 'MP',
  UMI: 'UM',
  CAN: 'CA',
  MEX: 'MX',
}

export function countryOf(country: string): string {
  const code = /^[A-Z]{2}$/.test(country) ? country : byThree[country]
  if (!code) throw new Unreadable(say('no_country', { value: country }))
  return code
}
