import { hash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { buildClientSchema, buildSchema, type GraphQLSchema } from 'graphql'
import { parse as parseYaml } from 'yaml'
import { bodiesChecker } from './checkers/bodies.ts'
import type { Checker, Json, VendorSpecification } from './checkers/checker.ts'
import { graphqlChecker } from './checkers/graphql.ts'
import { openApiChecker } from './checkers/openapi.ts'
import { recordsChecker } from './checkers/records.ts'
import { wordpressChecker } from './checkers/wordpress.ts'

/**
 * Requests and answers held against the platforms' own specifications. These files are not ours to give away: they lie
 * beside the project, and where they are missing the tests that need them say so.
 */
export const specificationsFolder = resolve(
  process.env['PLATFORM_SPECS'] ?? join(import.meta.dirname, '../../../shared/platform-specs'),
)

export const hasSpecifications = existsSync(specificationsFolder)

export const noSpecifications = 'the official specifications are not here (PLATFORM_SPECS)'

export const readSpecification = (file: string): string => readFileSync(join(specificationsFolder, file), 'utf8')

/** An official sample, parsed. */
export const readSample = (file: string): unknown => JSON.parse(readSpecification(file))

const checkers = new Map<string, Checker>()

export function checkerOf(specification: VendorSpecification): Checker {
  const { kind, file } = specification
  const about = kind === 'graphql' ? specification.path : specification.base
  const key = JSON.stringify([kind, file, String(about)])
  const known = checkers.get(key)
  if (known) return known
  const made = make(specification)
  checkers.set(key, made)
  return made
}

function make(specification: VendorSpecification): Checker {
  const { file } = specification
  switch (specification.kind) {
    case 'bodies':
      return bodiesChecker(JSON.parse(readSpecification(file)), specification)
    case 'graphql':
      return graphqlChecker(readGraphqlSchema(file), specification.path)
    case 'openapi':
      return openApiChecker(readDocument(file), specification)
    case 'records':
      return recordsChecker(JSON.parse(readSpecification(file)), specification)
    case 'wordpress':
      return wordpressChecker(JSON.parse(readSpecification(file)), specification)
  }
}

export function readGraphqlSchema(file: string): GraphQLSchema {
  const source = readSpecification(file)
  // A platform's schema may break rules that are younger than it is; documents are held against it all the same.
  if (!file.endsWith('.json')) return buildSchema(source, { assumeValid: true, assumeValidSDL: true })
  const introspection = JSON.parse(source)
  return buildClientSchema(introspection.data ?? introspection, { assumeValid: true })
}

/** The largest YAML takes seconds to parse, so what came of it is kept beside other temporary files. */
function readDocument(file: string): Json {
  const source = readSpecification(file)
  if (file.endsWith('.json')) return JSON.parse(source) as Json
  const kept = join(tmpdir(), `entrepot-specification-${hash('sha256', source, 'hex').slice(0, 32)}.json`)
  if (existsSync(kept)) return JSON.parse(readFileSync(kept, 'utf8')) as Json
  const document = parseYaml(source, { maxAliasCount: -1 }) as Json
  // Moved into place as a whole: other processes may be looking for it.
  const draft = `${kept}.${process.pid}`
  writeFileSync(draft, JSON.stringify(document))
  renameSync(draft, kept)
  return document
}
