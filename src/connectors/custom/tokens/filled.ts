import type { AnyFields } from '../../../commerce/shop.ts'

/** The text with secrets in it; null where one of them was left out. Braces around anything else stay. */
export function filledWith(text: string, secrets: AnyFields): string | null {
  const names = [...text.matchAll(/\{([a-z][a-z0-9_]*)\}/g)].map(([, name = '']) => name)
  if (names.some((name) => typeof secrets[name] !== 'string' || secrets[name] === '')) return null
  return text.replace(/\{([a-z][a-z0-9_]*)\}/g, (_, name: string) => String(secrets[name]))
}
