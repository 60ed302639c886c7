/** Carriers whose links Wix makes itself; any other is told by its name. */
const known: Readonly<Record<string, string>> = {
  ...{ fedex: 'FedEx', ups: 'UPS', usps: 'USPS', dhl: 'DHL', canadaPost: 'Canada Post' },
}

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '')

/** As Wix takes it: `canadaPost` for "Canada Post". */
export const providerOf = (carrier: string): string =>
  Object.keys(known).find((word) => plain(word) === plain(carrier)) ?? carrier.slice(0, 100)

export const nameOfCarrier = (provider: string): string =>
  Object.hasOwn(known, provider) ? (known[provider] ?? provider) : provider
