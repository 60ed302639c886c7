/* Every word must be there; a heading that has them comes before a text that has them. */
const input = document.getElementById('search')
const found = document.getElementById('found')
let sections
input.form.addEventListener('submit', (event) => event.preventDefault())
input.addEventListener('input', async () => {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
  found.hidden = words.length === 0
  found.replaceChildren()
  if (words.length === 0) return
  sections ??= await (await fetch('/docs/search.json')).json()
  const rank = ({ title, text, guide }) => {
    const head = `${guide} ${title}`.toLowerCase()
    const all = `${head} ${text.toLowerCase()}`
    if (!words.every((word) => all.includes(word))) return 0
    return words.every((word) => head.includes(word)) ? 2 : 1
  }
  const hits = sections
    .map((section) => [rank(section), section])
    .filter(([n]) => n > 0)
    .sort(([a], [b]) => b - a)
    .slice(0, 12)
  if (hits.length === 0) {
    found.textContent = 'Nothing was found.'
    return
  }
  for (const [, { title, guide, address, text }] of hits) {
    const link = document.createElement('a')
    link.href = address
    const name = document.createElement('strong')
    name.textContent = title
    const where = document.createElement('small')
    const at = Math.max(0, text.toLowerCase().indexOf(words[0]) - 40)
    where.textContent = `${guide} – ${text.slice(at, at + 140)}`
    link.append(name, document.createElement('br'), where)
    found.append(link)
  }
})
