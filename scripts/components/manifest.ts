import { commonMembers, commonParts, elements } from '../../web/components/elements.ts'

/** The manifest that editors and documentation tools read (Custom Elements Manifest, schema 2.1.0). */
export function customElementsManifest(cssProperties: readonly string[]): string {
  const path = 'entrepot.js'
  const declarations = elements.map(({ tag, name, about, members, events, parts }) => {
    const all = [...members, ...commonMembers]
    return {
      kind: 'class',
      ...{ name, tagName: tag, customElement: true, description: about },
      attributes: all.flatMap(({ attribute, property, type, about: description }) =>
        attribute === null ? [] : [{ name: attribute, fieldName: property, type: { text: type }, description }],
      ),
      members: all.map(({ attribute, property, type, about: description }) => ({
        ...{ kind: 'field', name: property, type: { text: type }, description },
        ...(attribute !== null && { attribute }),
      })),
      events: events.map(({ name: event, detail, about: description }) => ({
        ...{ name: event, type: { text: `CustomEvent<${detail}>` }, description },
      })),
      cssParts: [...parts, ...commonParts].map((part) => ({ name: part })),
      cssProperties: cssProperties.map((property) => ({ name: property })),
    }
  })
  const exports = elements.map(({ tag, name }) => ({
    ...{ kind: 'custom-element-definition', name: tag, declaration: { name, module: path } },
  }))
  const manifest = { schemaVersion: '2.1.0', modules: [{ kind: 'javascript-module', path, declarations, exports }] }
  return `${JSON.stringify(manifest, null, 2)}\n`
}

/** Those that the tokens of the design listen to. */
export const cssPropertiesIn = (tokens: string): string[] => [
  ...new Set([...tokens.matchAll(/var\((--ep-[a-z-]+)/g)].map(([, name = '']) => name)),
]
