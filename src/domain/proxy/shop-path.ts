import type { ProxyRules } from '../../commerce/connector/remote-rules.ts'

/**
 * The path of a proxied request, cut into path and query; null for anything that is not plainly a path below the shop's
 * own address. What is refused here could mean another host, another folder or another request to somebody who reads it
 * differently than we do, however it is spelt.
 */
export function readShopPath(text: string): { path: string; query: Parameters } | null {
  const [before = '', ...after] = text.split('?')
  const path = before.startsWith('/') ? before : `/${before}`
  // What is not plain as it was sent is not plain when it is decoded either.
  const decoded = decode(path)
  if (decoded === null || !isPlain(decoded)) return null
  // Encoded a second time it would have passed the look above.
  if (/%[0-9a-f]{2}/i.test(decoded)) return null
  const search = after.join('?')
  if (!/^[\w\-.~!$'()*+,;:/?%=&[\]]*$/.test(search)) return null
  return { path, query: parametersIn(search) }
}

type Parameters = Record<string, string | readonly string[]>

/** Of a query string; one that is there several times is passed on as often. */
function parametersIn(search: string): Parameters {
  const read = new URLSearchParams(search)
  return Object.fromEntries(
    [...new Set(read.keys())].map((name) => {
      const values = read.getAll(name)
      return [name, values.length === 1 ? (values[0] ?? '') : values]
    }),
  )
}

function decode(path: string): string | null {
  try {
    return decodeURIComponent(path)
  } catch {
    return null
  }
}

const isPlain = (path: string): boolean =>
  /^\/[\w\-.~!$'()*+,;=:/%]*$/.test(path) &&
  !path.includes('//') &&
  !path.includes(':/') &&
  !path.includes('..') &&
  !path.split('/').some((segment) => /^\.(;|$)/.test(segment))

/** Whether the connector lets this path through: one of its prefixes, or something below it. */
export const isAllowedPath = (rules: ProxyRules | undefined, path: string): boolean =>
  rules?.prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`)) ?? false
