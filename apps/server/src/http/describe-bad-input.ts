import { type ErrorName, errors } from '@coffer/contract'
import type { Language } from '@coffer/contract/languages.ts'
import type { ZodError, z } from 'zod'

type Texts = Record<Language, string>
type Issue = z.core.$ZodIssue

/** Why an input was refused: an error of the catalogue, the field, and what is allowed there. */
export interface BadInput {
  name: ErrorName
  field: string
  detail: Texts | undefined
}

/**
 * Describes the first issue of an input. Schemas of the contract use a name of the error catalogue as zod message, and
 * say what they allow (`allowing`). With `forPeople`, texts of the catalogue stand alone: a form names its fields
 * itself.
 */
export function describeBadInput(error: ZodError, forPeople: boolean): BadInput {
  const issue = innermost(error.issues[0])
  const path = issue?.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : (issue?.path ?? [])
  const field = path.map(String).join('.') || 'body'
  const name = issue && issue.message in errors ? (issue.message as ErrorName) : 'parameter_error'
  if (!issue || (forPeople && name !== 'parameter_error')) return { name, field, detail: undefined }
  if (issue.code === 'invalid_type' && issue.path.length === 0) return { name, field, detail: jsonBodyHint }
  // A schema that says what it allows may stand around the one that refused.
  const around = (each: Issue) => allowedBy(each) && each.path.every((part, index) => part === issue.path[index])
  const [said] = error.issues.filter(around).sort((a, b) => b.path.length - a.path.length)
  const allowed = (said && allowedBy(said)) ?? describe(issue)
  return { name, field, detail: sentence(said?.path.map(String).join('.') || field, allowed, issue) }
}

/** The issue of the first alternative of a union. */
function innermost(issue: Issue | undefined): Issue | undefined {
  const inner = issue?.code === 'invalid_union' ? issue.errors[0]?.[0] : undefined
  return issue && inner ? innermost({ ...inner, path: [...issue.path, ...inner.path] }) : issue
}

/** What to send instead of a body that is not JSON. */
export const jsonBodyHint: Texts = {
  en: 'body: a JSON object, sent with Content-Type: application/json',
  'zh-CN': 'body：JSON 对象，并设置 Content-Type: application/json',
}

const allowedBy = (issue: Issue): Texts | undefined =>
  issue.code === 'custom' ? (issue.params?.allowed as Texts | undefined) : undefined

function sentence(field: string, allowed: Texts | undefined, issue: Issue): Texts {
  const wrong = issue.code === 'invalid_type' ? typeNames[typeOf(issue)] : undefined
  const missing = issue.code === 'invalid_type' && issue.input === undefined
  return {
    en: `${field}${allowed ? `: ${missing ? 'required, ' : ''}${allowed.en}` : ''}${wrong ? `, not ${wrong.en}` : ''}`,
    'zh-CN': `${field}${allowed ? `：${missing ? '必填，' : ''}${allowed['zh-CN']}` : ''}${wrong ? `，不能是${wrong['zh-CN']}` : ''}`,
  }
}

function typeOf({ input, expected }: z.core.$ZodIssueInvalidType) {
  // Only what has a fraction is refused as no whole number.
  if (expected === 'int') return 'fraction'
  return input === null ? 'null' : Array.isArray(input) ? 'array' : typeof input
}

const typeNames: Record<string, Texts> = {
  string: { en: 'a string', 'zh-CN': '字符串' },
  number: { en: 'a number', 'zh-CN': '数字' },
  int: { en: 'a whole number', 'zh-CN': '整数' },
  fraction: { en: 'a fraction', 'zh-CN': '小数' },
  boolean: { en: 'true or false', 'zh-CN': '布尔值' },
  array: { en: 'a list', 'zh-CN': '列表' },
  object: { en: 'an object', 'zh-CN': '对象' },
  null: { en: 'null', 'zh-CN': ' null' },
}

/** Description of what a schema without a message of its own allows. */
function describe(issue: Issue): Texts | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return typeNames[issue.expected]
    case 'unrecognized_keys':
      return { en: 'unknown field', 'zh-CN': '未知字段' }
    case 'invalid_value':
      return { en: `one of ${issue.values.join(', ')}`, 'zh-CN': `可选值：${issue.values.map(String).join('、')}` }
    case 'too_small':
      return {
        en: `at least ${issue.minimum}${unit(issue.origin)}`,
        'zh-CN': `至少 ${issue.minimum}${zhUnit(issue.origin)}`,
      }
    case 'too_big':
      return {
        en: `at most ${issue.maximum}${unit(issue.origin)}`,
        'zh-CN': `最多 ${issue.maximum}${zhUnit(issue.origin)}`,
      }
    default:
      return undefined
  }
}

const unit = (origin: string) => ({ string: ' characters', array: ' entries' })[origin] ?? ''
const zhUnit = (origin: string) => ({ string: ' 个字符', array: ' 项' })[origin] ?? ''
