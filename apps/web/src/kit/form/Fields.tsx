import { isNonBlankText } from '@coffer/contract/kit/texts.ts'
import { type ReactNode, useState } from 'react'
import type { Messages } from '../../i18n/areas.ts'
import { formatCount } from '../../i18n/format.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useCell } from '../../lib/useCell.ts'
import { useDebouncedValue } from '../../lib/useDebouncedValue.ts'
import { cx } from '../../ui/classes.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Switch } from '../../ui/controls/Choice.tsx'
import { CodeInput } from '../../ui/controls/CodeInput.tsx'
import { type ControlProps, Field } from '../../ui/controls/Field.tsx'
import { PasswordInput } from '../../ui/controls/PasswordInput.tsx'
import { parseWholeNumber } from '../../ui/controls/parseWholeNumber.ts'
import { Select, type SelectOption } from '../../ui/controls/Select.tsx'
import { SendCode } from '../../ui/controls/SendCode.tsx'
import { TextArea, TextInput, type TextInputProps } from '../../ui/controls/TextInput.tsx'
import { describeAmountError, describeTypedAmount } from '../../ui/controls/typedAmount.ts'
import type { FieldRule, FormRules } from '../rules.ts'
import type { Form } from '../useForm.ts'

interface Labelled {
  label: string
  hint?: string | false | undefined
  /** A text that is not empty; `rule` says more. */
  required?: boolean
  /** Marked as optional beside its label. */
  optional?: boolean
  /** Class of the field. */
  place?: string
  /** Class of a grid that it shares with the neighbours that name the same. */
  grid?: string
  /** The set that it shares with the neighbours that name the same. */
  group?: FieldGroup
}

/** The looks of sets of fields, each with that of its title. */
const groupLooks = {
  section: ['flex flex-col gap-4 border-t border-line pt-4', 'float-left w-full text-sm font-semibold'],
  note: ['flex flex-col gap-4 border-t border-line pt-4', 'float-left w-full text-[13px] text-ink-3'],
} as const

/** A set of fields with a title. `more` folds those that few need away. */
interface FieldGroup {
  title: string
  look: keyof typeof groupLooks | 'more'
}

type Attributes = Pick<
  TextInputProps,
  'autoComplete' | 'className' | 'inputMode' | 'maxLength' | 'placeholder' | 'spellCheck' | 'type'
>

interface TextField<V> extends Labelled, Attributes {
  name: keyof V & string
  kind?: 'text' | 'area' | 'password'
  rule?: FieldRule<string, V>
  /** Changes what is typed, such as by removing spaces. */
  clean?(text: string): string
  /** Lines of an area. */
  rows?: number
}

/** Six digits; with `send` they are requested by a button. */
interface CodeField<V> extends Labelled {
  name: keyof V & string
  kind: 'code'
  rule?: FieldRule<string, V>
  send?: () => Promise<number | false>
  /** The address that it is sent to. */
  to?: string
  /** Whether the code cannot be requested yet. */
  unready?: boolean
}

/**
 * An amount of money, as typed: the body reads it with `amountSent`. What is no amount, or may mean two, is refused;
 * `rule` says more of one that is.
 */
interface AmountField<V> extends Labelled {
  name: keyof V & string
  kind: 'amount'
  rule?: FieldRule<string, V>
  placeholder?: string
  /** A button that fills in the most that is possible; without a value it is disabled. */
  max?: { title: string; label?: string | undefined; value: string | undefined }
}

/** A whole number in a range, as text: the body reads it with `parseWholeNumber`. */
interface WholeField<V> extends Labelled {
  name: keyof V & string
  kind: 'whole'
  min: number
  max: number
}

interface ChoiceField<V> extends Labelled {
  name: keyof V & string
  kind: 'choice'
  options: readonly SelectOption[]
  rule?: FieldRule<string, V>
  placeholder?: string
}

interface SwitchField<V> extends Pick<Labelled, 'label' | 'hint' | 'grid' | 'group'> {
  name: keyof V & string
  kind: 'switch'
}

/** A control of its own: below a label, or with `draw` as it draws itself. */
type OwnField<V, T> = { rule?: FieldRule<T, V>; grid?: string; group?: FieldGroup } & (
  | (Labelled & { control(props: ControlProps & { value: T; onChange(value: T): void }): ReactNode })
  | { draw(props: { value: T; error: string | undefined; onChange(value: T): void }): ReactNode }
)

/** A field of a form, named as in the request body. */
export type FormField<V> = {
  [K in keyof V & string]: { name: K } & (
    | (V[K] extends string ? TextField<V> | CodeField<V> | ChoiceField<V> | AmountField<V> | WholeField<V> : never)
    | (V[K] extends boolean ? SwitchField<V> : never)
    | OwnField<V, V[K]>
  )
}[keyof V & string]
/** The fields of a form; those that do not apply are false. */
export type FormFields<V> = readonly (FormField<V> | false)[]

const inWords = (count: number) => formatCount(count, language.get())

/** The rules of the fields that apply to the values. */
export const buildFieldRules = <V extends object>(
  names: V,
  fieldsOf: (values: V) => FormFields<V>,
  common: Messages<'common'>,
): FormRules<V> =>
  Object.fromEntries(
    Object.keys(names).map(name => [
      name,
      (value: never, values: V) => {
        const field = fieldsOf(values).find(each => each && each.name === name)
        if (!field) return null
        const rule = ('rule' in field ? field.rule : undefined) as FieldRule<unknown, V> | undefined
        const wrong =
          'kind' in field &&
          field.kind === 'amount' &&
          isNonBlankText(value) &&
          describeAmountError(value, common.amounts)
        if (wrong) return wrong
        if (rule) return rule(value, values)
        if ('kind' in field && field.kind === 'whole' && isNonBlankText(value)) {
          const number = parseWholeNumber(value)
          const fits = number !== null && number >= field.min && number <= field.max
          return !fits && common.wholeNumber(inWords(field.min), inWords(field.max))
        }
        return (
          'required' in field &&
          field.required &&
          typeof value === 'string' &&
          !isNonBlankText(value) &&
          common.required
        )
      },
    ]),
  ) as FormRules<V>

/** Neighbours with the same place, or all without one, each list with that place. */
function together<F>(fields: readonly F[], placeOf: (field: F) => string | undefined) {
  const all: [string | undefined, F[]][] = []
  for (const field of fields) {
    const place = placeOf(field)
    const last = all.at(-1)
    if (last && last[0] === place) last[1].push(field)
    else all.push([place, [field]])
  }
  return all
}

interface FoldProps {
  title?: string | undefined
  titleLook: string
  failed: boolean
  children: ReactNode
}

/** Fields behind a title, open at once when one of them was refused. */
export function CollapsibleFields({ title, titleLook, failed, children }: FoldProps) {
  const [open, setOpen] = useState(false)
  return (
    <details open={open || failed} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary className={cx('w-fit rounded-sm', titleLook)}>{title}</summary>
      {children}
    </details>
  )
}

/** Draws the fields of a form. */
export function Fields<V extends object>({ form, fields }: { form: Form<V>; fields: FormFields<V> }) {
  const shown = fields.filter(field => field !== false)
  return together(shown, field => field.group?.title).map(([title, members]) => {
    const drawn = together(members, field => field.grid).map(([grid, row]) => {
      const cells = row.map(field => <One key={field.name} form={form} field={field} />)
      return grid === undefined ? (
        cells
      ) : (
        <div key={row[0]?.name} className={`grid gap-4 ${grid}`}>
          {cells}
        </div>
      )
    })
    const group = members[0]?.group
    if (!group) return drawn
    if (group.look === 'more')
      return (
        <CollapsibleFields
          key={title}
          title={title}
          titleLook="text-[13px] text-ink-2 pointer-coarse:py-3"
          failed={members.some(field => form.errors[field.name])}
        >
          <div className="mt-4 flex flex-col gap-4">{drawn}</div>
        </CollapsibleFields>
      )
    const [look, titleLook] = groupLooks[group.look]
    return (
      <fieldset key={title} className={look}>
        <legend className={titleLook}>{title}</legend>
        {drawn}
      </fieldset>
    )
  })
}

/** How long (ms) typing pauses before an amount is checked. */
const pauseMs = 600

function One<V extends object>({ form, field }: { form: Form<V>; field: FormField<V> }) {
  const common = useMessages('common')
  const inLanguage = useCell(language)
  const isAmount = 'kind' in field && field.kind === 'amount'
  // Only an amount is worth a timer, and a second drawing, for each key.
  const typed = useDebouncedValue(isAmount ? (form.values[field.name] as unknown) : undefined, pauseMs)
  // The types of values follow from the names, which a union of fields does not show.
  const value = form.values[field.name] as never
  // A wrong amount says so as soon as typing pauses, as what depends on it waits for a right one.
  const paused = isAmount && value !== '' && typed === value
  const wrong = paused && (describeAmountError(value, common.amounts) || field.rule?.(value, form.values))
  const error = form.errors[field.name] || wrong || undefined
  const note = isAmount && describeTypedAmount(value, common.amounts, inLanguage)
  const onChange = form.set(field.name) as (value: unknown) => void
  if ('draw' in field) return field.draw({ value, error, onChange })
  if ('kind' in field && field.kind === 'switch')
    return <Switch label={field.label} hint={field.hint} checked={value} onChange={onChange} />
  const { label, hint, required, optional, place } = field
  return (
    <Field
      label={label}
      hint={note ? <HintWithNote note={note} hint={hint} /> : hint}
      error={error}
      {...(required && { required })}
      {...(optional && { optional: common.optional })}
      {...(place && { className: place })}
    >
      {control =>
        'control' in field ? (
          field.control({ ...control, value, onChange })
        ) : (
          <Control {...control} field={field} value={value} onChange={onChange} />
        )
      }
    </Field>
  )
}

/** How what was typed is read, above the hint of its field. */
export const HintWithNote = ({ note, hint }: { note: string; hint?: ReactNode }) => (
  <>
    <span className="block text-ink-2">{note}</span>
    {hint}
  </>
)

interface ControlOf<V> extends ControlProps {
  field: TextField<V> | CodeField<V> | ChoiceField<V> | AmountField<V> | WholeField<V>
  value: string
  onChange(value: string): void
}

function Control<V>({ field, ...control }: ControlOf<V>) {
  if (field.kind === 'choice') {
    const { options, placeholder } = field
    return <Select {...control} options={options} {...(placeholder !== undefined && { placeholder })} />
  }
  if (field.kind === 'code') {
    const { send, to = '', unready } = field
    const input = <CodeInput {...control} />
    if (!send) return input
    return (
      <SendCode {...(unready && { disabled: true })} send={send} inbox={{ to, fill: control.onChange }}>
        {input}
      </SendCode>
    )
  }
  if (field.kind === 'whole')
    return <TextInput {...control} inputMode="numeric" autoComplete="off" maxLength={20} className="num" />
  if (field.kind === 'amount') {
    const { placeholder, max } = field
    const input = (
      <TextInput
        {...control}
        inputMode="decimal"
        autoComplete="off"
        maxLength={40}
        className="num"
        placeholder={placeholder}
      />
    )
    if (!max) return input
    const { title, label, value } = max
    return (
      <div className="flex gap-2 max-[259px]:flex-wrap">
        {input}
        <Button disabled={!value} aria-label={label} onClick={() => value && control.onChange(value)}>
          {title}
        </Button>
      </div>
    )
  }
  const { kind, name, label, hint, required, optional, place, grid, group, rule, clean, rows, ...rest } = field
  const onChange = (text: string) => control.onChange(clean ? clean(text) : text)
  if (kind === 'password') return <PasswordInput {...control} {...rest} onChange={onChange} />
  if (kind === 'area') {
    const { className, maxLength, placeholder, spellCheck } = rest
    return (
      <TextArea {...control} {...{ className, maxLength, placeholder, spellCheck }} rows={rows} onChange={onChange} />
    )
  }
  return <TextInput {...control} {...rest} onChange={onChange} />
}
