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

export function countryOf(told: string): string {
  const code = /^[A-Z]{2}$/.test(told) ? told : byThree[told]
  if (!code) throw new TypeError(`"${told}" is no country that Walmart sends to.`)
  return code
}
