/** The description that is being written: text for people, and what it says where it can be read. */
export type Tree = { [name: string]: unknown }

export const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The description, or the line on which it stops being one. */
export function readDraft(text: string): { definition: Tree; problem: null } | { definition: null; problem: string } {
  try {
    const read: unknown = JSON.parse(text)
    if (isTree(read)) return { definition: isTree(read['definition']) ? read['definition'] : read, problem: null }
    return { definition: null, problem: 'A description is an object: { … }.' }
  } catch (error) {
    return { definition: null, problem: error instanceof Error ? error.message : 'This is no JSON.' }
  }
}

/** With something else at a place, which need not have been there. */
export function withPlace(tree: Tree, path: readonly string[], value: unknown): Tree {
  const [name = '', ...rest] = path
  if (rest.length === 0) return { ...tree, [name]: value }
  const inner = tree[name]
  return { ...tree, [name]: withPlace(isTree(inner) ? inner : {}, rest, value) }
}

export const valueAt = (tree: Tree, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => (isTree(inner) ? inner[name] : undefined), tree)

/** The line of the text on which a place of the description stands; its parent's where it is missing. Found by counting keys. */
export function lineOf(text: string, place: string): number {
  const names = place.split('.').slice(1)
  const lines = text.split('\n')
  let line = 0
  for (const name of names) {
    const found = lines.findIndex((one, n) => n >= line && one.includes(`"${name}":`))
    if (found < 0) break
    line = found
  }
  return line + 1
}

const credentialNames: Readonly<Record<string, readonly string[]>> = {
  header: ['api_key'],
  query: ['api_key'],
  bearer: ['token'],
  basic: ['username', 'password'],
  client_credentials: ['client_id', 'client_secret'],
  // Nobody goes through a browser for a trial.
  authorization_code: ['token'],
}

export interface Key {
  name: string
  label?: string
  help?: string
}

/** Which keys a description asks for: those that every way of its kind needs, and its own. */
export const keysOf = (definition: Tree | null): readonly Key[] => {
  const auth = definition?.['auth']
  if (!isTree(auth)) return []
  const kind = String(auth['kind'])
  const own = Array.isArray(auth['secrets']) ? auth['secrets'].filter(isTree) : []
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
  return [
    ...(credentialNames[kind] ?? []).map((name) => ({ name })),
    ...own.flatMap((secret) => {
      const [name, label, help] = [text(secret['name']), text(secret['label']), text(secret['help'])]
      return name === undefined ? [] : [{ name, ...(label && { label }), ...(help && { help }) }]
    }),
  ]
}

/** What somebody begins with: an address, and the list of orders. */
export const firstDraft: Tree = {
  origin: { from: 'setting' },
  auth: { kind: 'bearer' },
  orders: { list: { path: '/orders' } },
}
