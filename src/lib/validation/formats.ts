import { withoutBidiControls } from '../clean-text.ts'
import type { complaintSentences } from './complaints.ts'

/** The formats that a text field may ask for: how each is recognised, and what a 422 says about a text that has it not. */
export interface Format {
  test: (value: string) => boolean
  complaint: `field_${'email' | 'url' | 'uuid' | 'timezone' | 'date'}` & keyof typeof complaintSentences
}

export type FormatName = 'email' | 'url' | 'https-url' | 'uuid' | 'timezone' | 'date-time'

export const formats: Readonly<Record<FormatName, Format>> = {
  email: { test: isEmail, complaint: 'field_email' },
  url: { test: (value) => isUrl(value, /^https?:\/\/[^/]/i), complaint: 'field_url' },
  'https-url': { test: (value) => isUrl(value, /^https:\/\/[^/]/i), complaint: 'field_url' },
  uuid: { test: (value) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value), complaint: 'field_uuid' },
  timezone: { test: isTimezone, complaint: 'field_timezone' },
  'date-time': { test: isDateTime, complaint: 'field_date' },
}

const label = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}_-]*[\\p{L}\\p{N}])?'
const domain = new RegExp(`^${label}(?:\\.${label})+$`, 'u')

const plainText = new RegExp(withoutBidiControls, 'u')

function isEmail(value: string): boolean {
  const at = value.lastIndexOf('@')
  const name = value.slice(0, Math.max(at, 0))
  return (
    name.length <= 64 &&
    plainText.test(name) &&
    /^[^\s@"<>(),;:\\[\].]+(\.[^\s@"<>(),;:\\[\].]+)*$/.test(name) &&
    isDomain(value.slice(at + 1))
  )
}

const isDomain = (value: string) => value.length <= 253 && domain.test(value)

/** The parser of URLs repairs a lot (missing slashes, line breaks); what is stored must be one without repair. */
function isUrl(value: string, scheme: RegExp): boolean {
  return scheme.test(value) && !/[\s\p{Cc}\\]/u.test(value) && URL.canParse(value)
}

/** A name of the time zone database; an offset is none, because it does not know of summer time. */
function isTimezone(value: string): boolean {
  if (!/^[a-z]/i.test(value)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const dateTime = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(?:Z|[+-](\d\d):?(\d\d))?)?$/

/** Strict, because `Date` takes 30 February for 1 March and the database takes it for an error. */
function isDateTime(value: string): boolean {
  const match = dateTime.exec(value)
  if (!match) return false
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, offsetHour = 0, offsetMinute = 0] = match
    .slice(1)
    .map((part) => (part === undefined ? undefined : Number(part)))
  const lastDay = new Date(Date.UTC(2000, month, 0)).getUTCDate()
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  const days = month === 2 && !leap ? 28 : lastDay
  return (
    year >= 1 &&
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= days &&
    hour <= 23 &&
    minute <= 59 &&
    second <= 59 &&
    offsetHour <= 14 &&
    offsetMinute <= 59
  )
}
