/**
 * What is guessed first: guesses that many addresses make in parallel are slowed only so much, so a password must be none
 * of the first thousand. A short list of words and a few rules reach further than the list of any one year.
 */
const words = [
  'abc',
  'abcd',
  'access',
  'admin',
  'administrator',
  'baseball',
  'batman',
  'changeme',
  'charlie',
  'computer',
  'default',
  'donald',
  'dragon',
  'entrepot',
  'football',
  'freedom',
  'guest',
  'hello',
  'iloveyou',
  'jesus',
  'letmein',
  'login',
  'lovely',
  'master',
  'michael',
  'monkey',
  'mustang',
  'ninja',
  'pass',
  'password',
  'passwort',
  'pokemon',
  'princess',
  'qwer',
  'qwert',
  'qwerty',
  'qwertz',
  'root',
  'secret',
  'shadow',
  'starwars',
  'sunshine',
  'superman',
  'test',
  'testing',
  'trustno',
  'user',
  'welcome',
  'whatever',
  'zaq1xsw2',
  '1q2w3e4r',
  '1q2w3e4r5t',
  '1qaz2wsx',
  'q1w2e3r4',
]

const worst = new Set(words)

/** As they lie on keyboards and in the alphabet; backwards too. */
const rows = [
  '01234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'qwertzuiop',
  'asdfghjkl',
  'zxcvbnm',
  'yxcvbnm',
]
const runs = rows.flatMap((row) => [row, [...row].reverse().join('')])

const plain = (text: string) => text.normalize('NFKC').toLowerCase()

const lookAlikes: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
}
const spelledOut = (text: string) => text.replace(/[013457@$]/g, (sign) => lookAlikes[sign] ?? sign)

/** Without the figures and signs that are put around a word so that it passes for a password. */
const core = (text: string) => text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')

/** `about`: what everybody knows of the user, such as the name and the address. */
export function isEasyToGuess(password: string, about: readonly string[]): boolean {
  const text = plain(password)
  if (/^(.{1,4})\1+$/su.test(text) || madeOfRuns(text)) return true
  const forms = [text, core(text), core(spelledOut(text)), spelledOut(core(text))]
  const known = new Set(
    about.flatMap((one) => [plain(one), plain(one).replace(/\s+/g, ''), plain(one).replace(/@.*$/s, '')]),
  )
  return forms.some((form) => worst.has(form) || known.has(form))
}

/** Pieces of at least three that lie side by side, and nothing else: 12345678, qwerty123, abcd4321. */
function madeOfRuns(text: string): boolean {
  let rest = text
  while (rest.length > 0) {
    const piece = longestRun(rest)
    if (piece < 3) return false
    rest = rest.slice(piece)
  }
  return true
}

function longestRun(text: string): number {
  let length = 0
  while (length < text.length && runs.some((run) => run.includes(text.slice(0, length + 1)))) length++
  return length
}
