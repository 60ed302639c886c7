/** Colours as `#rrggbb`. */
export const colourPattern = '^#[0-9a-fA-F]{6}$'

const [light, dark] = ['#ffffff', '#000000'] as const

/** Which of both is read better on a colour: on any there is one with a contrast of 4.5 at least, which is what people need. */
export const textOn = (colour: string): typeof light | typeof dark =>
  contrast(colour, light) >= contrast(colour, dark) ? light : dark

/** As WCAG 2 defines it, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
