import { styleText } from 'node:util'

/** Words in colour where the terminal shows any; NO_COLOR and pipes get them plain. */
type Style = 'bold' | 'dim' | 'green' | 'red' | 'yellow' | 'cyan'

export const look = (style: Style, text: string): string => styleText(style, text, { stream: process.stdout })

/** Columns as wide as what is in them; the last one is as long as it is. */
export function columns(rows: readonly (readonly string[])[], gap = '  '): string {
  const widths: number[] = []
  for (const row of rows) for (const [n, cell] of row.entries()) widths[n] = Math.max(widths[n] ?? 0, cell.length)
  return rows
    .map((row) => row.map((cell, n) => (n === row.length - 1 ? cell : cell.padEnd(widths[n] ?? 0))).join(gap))
    .join('\n')
}

/** On this machine's clock. */
export const clock = (at: string | number): string => new Date(at).toTimeString().slice(0, 8)

export function moment(at: string): string {
  const date = new Date(at)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${clock(at)}`
}

export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  const seconds = ms / 1000
  if (seconds < 120) return `${seconds.toFixed(1)} s`
  const minutes = seconds / 60
  if (minutes < 120) return `${Math.round(minutes)} min`
  const hours = minutes / 60
  return hours < 48 ? `${Math.round(hours)} h` : `${Math.round(hours / 24)} days`
}

/** What comes from shops and endpoints is shown and never obeyed: a terminal takes some characters for orders. */
export const plain = (text: string): string =>
  text.replace(/\p{Cc}/gu, (one) => (one === '\n' || one === '\t' ? one : '�'))
