import type { SecondOperatorRule } from '@coffer/contract/kit/operator-route.ts'
import { isSubstantiveReason } from '@coffer/contract/kit/validators.ts'
import type { ActionCall } from '@coffer/contract/operator/calls.ts'
import type { Messages } from '../../i18n/areas.ts'
import type { FormField, FormFields } from '../../kit/form/Fields.tsx'
import { parseWholeNumber } from '../../ui/controls/parseWholeNumber.ts'
import type { SelectOption } from '../../ui/controls/Select.tsx'

/** A part of a body that is entered, as the contract declares it. */
interface DeclaredField {
  name: string
  kind: 'text' | 'area' | 'whole' | 'choice' | 'switch' | 'yesOrNo'
  min?: number
  max?: number
  maxLength?: number
  rows?: number
  /** A reason that somebody else can judge by. */
  isSubstantive?: boolean
}

/** The dialog of a call, without its words. */
export interface DeclaredForm {
  look?: 'primary' | 'danger'
  second?: SecondOperatorRule
  /** Of its body, if it has one. */
  fields?: readonly DeclaredField[]
}

export type Entered = Record<string, string | boolean>

/** What a page adds to a declared field. */
export interface FieldAddition {
  initial?: string
  hint?: string | false
  max?: number
  options?: readonly SelectOption[]
}

interface FormOptions {
  /** Parts of the body that the page knows, which have no field. */
  known: Record<string, unknown>
  additions: Partial<Record<string, FieldAddition>>
  words: Messages<'dialogs'>[ActionCall]
  t: Messages<'operator'>
  pleaseSelect: string
}

/** The rule of a reason that somebody else can judge by. */
const requireSubstantiveReason = (t: Messages<'operator'>) => (text: string) =>
  !isSubstantiveReason(text) && t.reasonTooShort

/** Makes the fields of a declared form, what they begin with, and the body of what was entered. */
export function buildDeclaredForm({ fields: declared }: DeclaredForm, options: FormOptions) {
  const { known, additions, words, t, pleaseSelect } = options
  const asked = (declared ?? []).filter(({ name }) => !(name in known))
  const texts = words.fields as Partial<Record<string, { label: string; hint: string; no: string; yes: string }>>
  const fields = asked.map(field => {
    const { name, kind, isSubstantive, ...limits } = field
    const { label = name, hint = '', no = '', yes = '' } = texts[name] ?? {}
    const { initial: _, ...added } = additions[name] ?? {}
    const choice = { kind: 'choice', placeholder: pleaseSelect }
    const yesOrNo = {
      kind: 'choice',
      options: [
        { value: 'no', label: no },
        { value: 'yes', label: yes },
      ],
    }
    return {
      name,
      label,
      ...(kind === 'switch' ? {} : { required: true }),
      ...(hint && { hint }),
      ...limits,
      ...(kind === 'choice' ? choice : kind === 'yesOrNo' ? yesOrNo : { kind }),
      ...(isSubstantive && { rule: requireSubstantiveReason(t) }),
      ...added,
    } as unknown as FormField<Entered>
  }) satisfies FormFields<Entered>
  const initial: Entered = Object.fromEntries(
    asked.map(({ name, kind }) => [
      name,
      kind === 'switch' ? false : (additions[name]?.initial ?? (kind === 'yesOrNo' ? 'no' : '')),
    ]),
  )
  const sent = (kind: DeclaredField['kind'], value: string | boolean | undefined) =>
    kind === 'whole'
      ? (parseWholeNumber(String(value)) ?? Number.NaN)
      : kind === 'yesOrNo'
        ? value === 'yes'
        : kind === 'text'
          ? String(value).trim()
          : value
  const body = (values: Entered) =>
    declared && { ...known, ...Object.fromEntries(asked.map(({ name, kind }) => [name, sent(kind, values[name])])) }
  return { fields, initial, body }
}

/** The field of a reason that somebody else can judge by, in a form of a page's own. */
export const substantiveReasonField = (t: Messages<'operator'>, label: string) =>
  ({
    name: 'reason',
    kind: 'area',
    label,
    required: true,
    maxLength: 200,
    rule: requireSubstantiveReason(t),
  }) as const

/** Fills in what a text names in braces. */
export const fillIn = (text: string, facts: Record<string, string | number>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(facts[name] ?? whole))
