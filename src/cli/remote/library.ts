import type * as Library from '@entrepot/client'

/**
 * `@entrepot/client`, as everybody else uses it. Where the sources are it is taken from them; the installed package brings it
 * along beside the program (`scripts/build-package.ts`).
 */
const place = import.meta.filename.endsWith('.ts') ? '../../../packages/client/src/index.ts' : '../../client/index.js'

export const library = (await import(new URL(place, import.meta.url).href)) as typeof Library
export type UserClient = Library.EntrepotUserClient
export type AppClient = Library.EntrepotClient
