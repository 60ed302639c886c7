/** Paths with parts that vary: `match('/orders/:id', '/orders/5')` is `['5']`; null if they differ. */
export function match(pattern: string, path: string): readonly string[] | null {
  const wanted = pattern.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return null
  const found: string[] = []
  for (const [i, part] of wanted.entries()) {
    const text = given[i] ?? ''
    if (part.startsWith(':')) {
      if (text === '') return null
      found.push(decode(text))
    } else if (part !== text) return null
  }
  return found
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
