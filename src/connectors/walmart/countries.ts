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
  if (!code) throw new TypeError(`"${country}" is no country that Walmart sends to.`)
  return code
}
