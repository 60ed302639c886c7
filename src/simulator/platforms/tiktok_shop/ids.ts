/** Ids have eighteen digits, which is more than a number of JavaScript holds: they are text everywhere. */
const idOf = (prefix: string, ...parts: readonly (readonly [value: number, digits: number])[]): string =>
  prefix + parts.map(([value, digits]) => String(value).padStart(digits, '0')).join('')

const partsOf = (id: string, prefix: string, ...digits: readonly number[]): readonly number[] | null => {
  const match = new RegExp(`^${prefix}${digits.map((count) => `(\\d{${count}})`).join('')}$`).exec(id)
  return match ? match.slice(1).map(Number) : null
}

export const orderIdOf = (index: number): string => idOf('5764', [index, 14])
export const orderIndexOf = (id: string): number => partsOf(id, '5764', 14)?.[0] ?? -1

/** One for each piece of a line. */
export const itemIdOf = (index: number, line: number, piece: number): string =>
  idOf('5770', [index, 8], [line, 3], [piece, 3])

/** The package that waits is number 0; those that have left have the number of their parcel. */
export const packageIdOf = (index: number, parcel: number): string => idOf('1152', [index, 10], [parcel, 4])
export const packageOf = (id: string): { index: number; parcel: number } => {
  const [index = -1, parcel = -1] = partsOf(id, '1152', 10, 4) ?? []
  return { index, parcel }
}

export const productIdOf = (index: number): string => idOf('1728', [index, 14])
export const productIndexOf = (id: string): number => partsOf(id, '1728', 14)?.[0] ?? -1

export const skuIdOf = (product: number, position: number): string => idOf('1729', [product, 10], [position, 4])

export const warehouseIdOf = (place: number): string => idOf('7000', [place + 1, 14])
export const placeOf = (id: string): number => (partsOf(id, '7000', 14)?.[0] ?? 0) - 1
