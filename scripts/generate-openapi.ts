import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { endpoints } from '../src/api/index.ts'
import { apiDocument } from '../src/api/openapi-page.ts'
import { type Follows, headed, isFresh } from './generated-head.ts'

const document = apiDocument(endpoints)

/** The document as it is served, kept in the repository so that a change of the API shows in review. */
export const generateOpenApi = async () => ({
  path: 'docs/api/openapi.json',
  text: `${JSON.stringify(document, null, 2)}\n`,
})

/** Types of every path, for the typed client in `web/lib/api.ts`. */
export const clientTypes = typesOf(document, 'web/lib/api-types.gen.ts')

/** Types of version 2.0 and of what we post, for whoever installs the client library. */
export const libraryTypes = typesOf({ ...document, paths: ofLibrary() }, 'packages/client/src/api.gen.ts')

function ofLibrary(): object {
  return Object.fromEntries(
    Object.entries(document['paths'] ?? {}).filter(([path]) => /^\/api\/2\.0\/(app|user|webcomponent)\//.test(path)),
  )
}

/** The compiler that this takes is loaded only where there is something to generate. */
function typesOf(described: object, path: string) {
  const text = JSON.stringify(described)
  const follows = async (): Promise<Follows> => ({
    from: 'docs/api/openapi.json',
    inputs: [
      text,
      await readFile(import.meta.filename, 'utf8'),
      ...['openapi-typescript', 'typescript'].map((name) => `${name} ${versionOf(name)}`),
    ],
  })
  return {
    areFresh: async () => await isFresh(path, await follows()),
    generate: async () => {
      const { default: openapiTS, astToString } = await import('openapi-typescript')
      return { path, text: headed(await follows(), astToString(await openapiTS(JSON.parse(text)))) }
    },
  }
}

const versionOf = (name: string): string =>
  (createRequire(import.meta.url)(`${name}/package.json`) as { version: string }).version
