import { commonMembers, type Described, elements, type Member } from '../../web/components/elements.ts'

/**
 * The types of the elements, a file for each way of writing pages. `entrepot.d.ts` is what all rest on; each of the others teaches
 * one framework its tags, attributes and events.
 */
export const typeFiles = (): Record<string, string> => ({
  'entrepot.d.ts': base(),
  'react.d.ts': react(),
  'vue.d.ts': vue(),
  'svelte.d.ts': svelte(),
  'angular.d.ts': angular(),
})

const membersOf = ({ members }: Described): readonly Member[] => [...members, ...commonMembers]
const eventNames = [...new Map(elements.flatMap(({ events }) => events).map((event) => [event.name, event])).values()]
const mapOf = ({ name }: Pick<Described, 'name'>) => `${name}EventMap`
const head = (what: string) => `// ${what} Written from the elements themselves; do not edit.\n`

function base(): string {
  const one = (element: Described) => `/** ${element.about} */
export interface ${element.name} extends HTMLElement {
${membersOf(element)
  .filter(({ property }) => property !== 'lang')
  .map(({ property, type, about }) => `  /** ${about} */\n  ${property}: ${type}`)
  .join('\n')}
  addEventListener<K extends keyof ${mapOf(element)}>(type: K, listener: (event: ${mapOf(element)}[K]) => void, options?: boolean | AddEventListenerOptions): void
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void
}

export interface ${mapOf(element)} extends HTMLElementEventMap {
${element.events.map(({ name, detail, about }) => `  /** ${about} */\n  '${name}': CustomEvent<${detail}>`).join('\n')}
}
`
  return `${head('The elements of Entrepot.')}
${elements.map(one).join('\n')}
declare global {
  interface HTMLElementTagNameMap {
${elements.map(({ tag, name }) => `    '${tag}': ${name}`).join('\n')}
  }
  /** They bubble: one listener on \`document\` receives all of them. */
  interface DocumentEventMap {
${eventNames.map(({ name, detail }) => `    '${name}': CustomEvent<${detail}>`).join('\n')}
  }
}
`
}

const importing = `import type { ${elements.map(({ name }) => name).join(', ')} } from './entrepot.d.ts'\n`

/** What markup says of an element beyond what every element takes, where listeners are `on` and the name of the event. */
const inMarkup = (element: Described): string =>
  [
    ...membersOf(element)
      .filter(({ property }) => property !== 'lang')
      .flatMap(({ attribute, property, type }) => optionals(attribute, property, type)),
    ...element.events.map(({ name, detail }) => `        'on${name}'?: (event: CustomEvent<${detail}>) => void`),
  ].join('\n')

/** React 19 sets properties where the element has them, and listens to `on` and the name of the event. */
function react(): string {
  const one = (
    element: Described,
  ) => `      '${element.tag}': DetailedHTMLProps<HTMLAttributes<${element.name}>, ${element.name}> & {
${inMarkup(element)}
      }`
  return `${head('The elements of Entrepot in JSX, for React 19 and later.')}
${importing}import type { DetailedHTMLProps, HTMLAttributes } from 'react'

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
${elements.map(one).join('\n')}
    }
  }
}
`
}

function optionals(attribute: string | null, property: string, type: string): string[] {
  const named = attribute !== null && attribute !== property ? [`        '${attribute}'?: string | undefined`] : []
  return [...named, `        ${property}?: ${type} | undefined`]
}

/** Vue knows what \`GlobalComponents\` lists; \`isCustomElement\` of its compiler says that they are no components of its own. */
function vue(): string {
  const one = (element: Described) => `    '${element.tag}': DefineComponent<{
${membersOf(element)
  .map(({ property, type }) => `      ${property}?: ${type} | undefined`)
  .join('\n')}
${element.events.map(({ name, detail }) => `      '${vueListener(name)}'?: (event: CustomEvent<${detail}>) => void`).join('\n')}
    }>`
  return `${head('The elements of Entrepot in templates of Vue 3.')}
${importing.replace('import type', 'export type')}import type { DefineComponent } from 'vue'

declare module 'vue' {
  interface GlobalComponents {
${elements.map(one).join('\n')}
  }
}
`
}

const vueListener = (event: string) =>
  `on${event.replace(/(^|-)([a-z])/g, (_, __, letter: string) => letter.toUpperCase())}`

/** Svelte 5 writes listeners as \`on\` and the name of the event. */
function svelte(): string {
  const one = (element: Described) => `    '${element.tag}': HTMLAttributes<${element.name}> & {
${inMarkup(element)}
    }`
  return `${head('The elements of Entrepot in Svelte 5.')}
${importing}import type { HTMLAttributes } from 'svelte/elements'

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
${elements.map(one).join('\n')}
  }
}
`
}

/** Angular takes any tag with \`CUSTOM_ELEMENTS_SCHEMA\`; what stands behind a query or an event has these types. */
function angular(): string {
  return `${head('The elements of Entrepot behind queries and events of Angular.')}
export type { ${elements.map(({ name }) => name).join(', ')} } from './entrepot.d.ts'

/** \`(entrepot-connected)="connected($event)"\`: what \`$event\` is. */
export interface EntrepotEvents {
${eventNames.map(({ name, detail, about }) => `  /** ${about} */\n  '${name}': CustomEvent<${detail}>`).join('\n')}
}
`
}
