import { type ApiChange, type ChangeKind, isBreaking, lineOf } from './compare.ts'

/** The page that says what is different from the last release. */
export function changelogOf(changes: readonly ApiChange[], accepted: Readonly<Record<string, string>>): string {
  const of = (...kinds: readonly ChangeKind[]) => changes.filter(({ kind }) => kinds.includes(kind))
  const isWhole = ({ field }: ApiChange) => field === ''
  const breaking = changes.filter(isBreaking).map((one) => `- ${lineOf(one)}. ${accepted[lineOf(one)] ?? ''}`.trimEnd())
  return [
    ...opening,
    ...section('Breaks', breaking, 'None.'),
    ...section('New operations and events', inLines(of('added').filter(isWhole)), 'None.'),
    ...section('New fields and parameters', inLines(of('added').filter((one) => !isWhole(one))), 'None.'),
    ...section(
      'New values',
      inLines(of('new value')),
      'None. Expect ones that you do not know: more may come at any time.',
    ),
    ...section('Takes more than before', inLines(of('widened')), 'Nothing.'),
  ].join('\n')
}

const opening = [
  '# Changes of the API',
  '',
  'What is different from the last release, found by comparing the two OpenAPI documents; `npm run gen` writes this page. Additions come at any time: fields, values of',
  'lists, events, optional parameters. A break is a field, parameter or operation that goes, takes less, asks for more, or answers what it did not before. It is not made without a reason, which stands beside it.',
  '',
]

const inLines = (changes: readonly ApiChange[]): string[] =>
  [...new Set(changes.map((one) => `- ${lineOf(one)}`))].sort()

const section = (title: string, lines: readonly string[], none: string): string[] => [
  `## ${title}`,
  '',
  ...(lines.length === 0 ? [none] : lines),
  '',
]
