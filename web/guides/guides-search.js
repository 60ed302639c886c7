/*
 * How the guides are searched. A word is found by itself, by its beginning and in its other forms; only where that finds nothing,
 * one slip of the keyboard is forgiven. A section is worth what its words are worth: rare ones more than common ones (BM25), in a
 * heading more than below it, and more where all of them are there.
 */

/** Endings that make another form of the same word, longest first. */
const endings = ['ations', 'ation', 'ings', 'ing', 'ies', 'ed', 'es', 's', 'e', 'y']

export function stem(word) {
  const ending = endings.find((end) => word.endsWith(end) && word.length - end.length >= 4)
  return ending ? stem(word.slice(0, -ending.length)) : word
}

/** Words that say nothing about what is looked for. */
const idle = new Set(
  'a an and are as at be by can do does for from how i in is it my of on or the to we what with'.split(' '),
)

const wordsIn = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

function countWords(text) {
  const counts = new Map()
  const all = wordsIn(text)
  for (const word of all) counts.set(stem(word), (counts.get(stem(word)) ?? 0) + 1)
  return { counts, length: all.length }
}

/** Fields, and how much more a word counts there. */
const fields = [
  ['title', 6],
  ['guide', 2.5],
  ['text', 1],
]

/** What has to be counted once. */
export function prepare(sections) {
  const guides = [...new Set(sections.map(({ guide }) => guide))]
  const entries = sections.map((section) => ({
    section,
    // They come in the order in which people need them, which tells between two that say the same.
    need: 1.4 - (0.8 * guides.indexOf(section.guide)) / guides.length,
    fields: fields.map(([name, boost]) => ({ ...countWords(section[name]), boost })),
  }))
  const vocabulary = new Map()
  for (const entry of entries) {
    for (const word of new Set(entry.fields.flatMap(({ counts }) => [...counts.keys()])))
      vocabulary.set(word, (vocabulary.get(word) ?? 0) + 1)
  }
  const averages = fields.map(
    (_, n) => entries.reduce((sum, { fields: own }) => sum + own[n].length, 0) / entries.length,
  )
  return { entries, vocabulary, averages }
}

/** Whether one letter was left out, added, changed, or swapped with its neighbour. */
export function isSlip(typed, word) {
  if (Math.abs(typed.length - word.length) > 1 || typed === word) return false
  let same = 0
  while (same < typed.length && typed[same] === word[same]) same++
  const rest = (text, skip) => text.slice(same + skip)
  return (
    rest(typed, 1) === rest(word, 1) ||
    rest(typed, 1) === rest(word, 0) ||
    rest(typed, 0) === rest(word, 1) ||
    (typed[same] === word[same + 1] && typed[same + 1] === word[same] && rest(typed, 2) === rest(word, 2))
  )
}

/** Words of the guides that a typed one may mean, and how sure that is. */
function meanings(typed, vocabulary) {
  const wanted = stem(typed)
  const found = new Map()
  for (const word of vocabulary.keys()) {
    if (word === wanted) found.set(word, 1)
    else if (wanted.length >= 2 && word.startsWith(wanted)) found.set(word, 0.7)
    else if (wanted.length >= 4 && word.includes(wanted)) found.set(word, 0.4)
  }
  if (found.size > 0 || wanted.length < 5) return found
  for (const word of vocabulary.keys()) if (isSlip(wanted, word)) found.set(word, 0.5)
  return found
}

/** How fast more of the same counts for less, and how much length takes away. */
const [k, b] = [1.2, 0.6]

/** The best first; a section has to have every word that was typed. */
export function search({ entries, vocabulary, averages }, text) {
  const all = [...new Set(wordsIn(text))]
  const telling = all.filter((word) => !idle.has(word))
  const typed = telling.length > 0 ? telling : all
  if (typed.length === 0) return []
  const asked = typed.map((word) => [...meanings(word, vocabulary)])
  if (asked.some((one) => one.length === 0)) return []
  const phrase = text.trim().toLowerCase()
  const rarity = (word) => Math.log(1 + (entries.length - vocabulary.get(word) + 0.5) / (vocabulary.get(word) + 0.5))
  const worthIn = (own, word) =>
    own.reduce((sum, { counts, length, boost }, n) => {
      const often = counts.get(word) ?? 0
      if (often === 0) return sum
      return sum + (boost * often * (k + 1)) / (often + k * (1 - b + (b * length) / averages[n]))
    }, 0)
  const ranked = entries.flatMap(({ section, need, fields: own }) => {
    let worth = 0
    for (const forms of asked) {
      const best = Math.max(...forms.map(([word, sure]) => sure * rarity(word) * worthIn(own, word)))
      if (best === 0) return []
      worth += best
    }
    const isNamed = section.title.toLowerCase().includes(phrase)
    return [[need * (isNamed ? worth * 1.5 : worth), section]]
  })
  return ranked.sort(([x], [y]) => y - x).map(([, section]) => section)
}
