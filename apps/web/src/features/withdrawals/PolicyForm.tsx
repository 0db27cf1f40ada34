import { isEmail } from '@coffer/contract/kit/validators.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { RouteData } from '../../api/index.ts'
import { apiQuery } from '../../api/query.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { HintWithNote } from '../../kit/form/Fields.tsx'
import type { FormRules } from '../../kit/rules.ts'
import { useForm } from '../../kit/useForm.ts'
import { lazyComponent } from '../../lib/later.tsx'
import { useCell } from '../../lib/useCell.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Checkbox, Switch } from '../../ui/controls/Choice.tsx'
import { Field } from '../../ui/controls/Field.tsx'
import { useHasPage } from '../../ui/controls/Link.tsx'
import { Select } from '../../ui/controls/Select.tsx'
import { TextInput } from '../../ui/controls/TextInput.tsx'
import { describeAmountAmbiguity, describeAmountError, describeTypedAmount } from '../../ui/controls/typedAmount.ts'
import { Card } from '../../ui/data/Card.tsx'
import {
  type ApprovedBy,
  isInvalidWindow,
  isTimeOfDay,
  isValidCoolDownHours,
  type PolicyDraft,
  toPolicyDraft,
  toPolicyRules,
  type WindowDraft,
  type WithdrawalRule,
} from './policy.ts'
import { WindowFields } from './WindowFields.tsx'

const PolicyModal = lazyComponent(() => import('./PolicyModal.tsx'))

const windowsMax = 10
const workdays = { days: [1, 2, 3, 4, 5], from: '09:00', to: '18:00' }

/** The members whom a rule may name. */
type Approvers = NonNullable<RouteData<'GET /api/v1/account/withdrawal-policy'>['approvers']>

/** Edits the merchant's rules; saving asks for a proof. `members` is given where several people work for a shop. */
export function PolicyForm({ rules, members }: { rules: readonly WithdrawalRule[]; members?: Approvers | undefined }) {
  const t = useMessages('withdrawals')
  const common = useMessages('common')
  const hasBook = useHasPage('/address')
  const [saving, setSaving] = useState(false)
  const form = useForm(toPolicyDraft(rules), useRules())
  const { values, errors, set } = form
  type MoneyField = 'single' | 'destination' | 'approval' | 'approvalInAll' | 'passkey' | 'passkeyInAll'
  const money = (name: MoneyField, label: string, hint?: string) => (
    <Money label={label} hint={hint} value={values[name] ?? ''} error={errors[name]} onChange={set(name)} />
  )
  /** The switch of a rule, which is null while it is off. */
  const switchOf = <N extends keyof PolicyDraft>(name: N, start: PolicyDraft[N]) => ({
    on: values[name] !== null,
    onSwitch: (on: boolean) => set(name)(on ? start : (null as PolicyDraft[N])),
  })
  return (
    <Card>
      <form {...form.formProps(async () => setSaving(true))} aria-label={t.settings} className="flex flex-col">
        <RuleSwitch label={t.rules.single} hint={t.singleHint} {...switchOf('single', '')}>
          {money('single', t.limitUsdt)}
        </RuleSwitch>
        <Windows windows={values.windows} tried={form.tried.windows} error={errors.windows} onChange={set('windows')} />
        {(hasBook || values.destination !== null) && (
          <RuleSwitch label={t.rules.destination} hint={t.destinationHint} {...switchOf('destination', '24')}>
            {money('destination', t.coolDown)}
          </RuleSwitch>
        )}
        <RuleSwitch label={t.rules.hours} hint={t.hoursHint} {...switchOf('hours', workdays)}>
          {values.hours && <Hours hours={values.hours} error={errors.hours} onChange={set('hours')} />}
        </RuleSwitch>
        <RuleSwitch label={t.rules.approval} hint={t.approvalHint} {...switchOf('approval', '')}>
          {money('approval', t.aboveUsdt)}
          {money('approvalInAll', t.aboveInAll, t.tenTimes)}
          {members && <ApprovedByField members={members} value={values.approvedBy} onChange={set('approvedBy')} />}
          {values.approvedBy === 'outside' && (
            <Field label={t.approver} hint={t.approverHint} error={errors.approver} className="w-full max-w-96">
              {control => (
                <TextInput
                  {...control}
                  type="email"
                  autoComplete="off"
                  maxLength={120}
                  placeholder={t.approverNone}
                  value={values.approver}
                  onChange={text => set('approver')(text.trim())}
                />
              )}
            </Field>
          )}
        </RuleSwitch>
        <RuleSwitch label={t.rules.fresh_factor} hint={t.passkeyHint} {...switchOf('passkey', '')}>
          {money('passkey', t.aboveUsdt)}
          {money('passkeyInAll', t.aboveInAll, t.tenTimes)}
        </RuleSwitch>
        <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line pt-5">
          <p className="max-w-md text-xs text-ink-3">{t.saveNote}</p>
          <Button call="PUT /api/v1/account/withdrawal-policy" type="submit" look="primary">
            {common.save}
          </Button>
        </div>
      </form>
      {saving && <PolicyModal rules={toPolicyRules(values)} onClose={() => setSaving(false)} />}
    </Card>
  )
}

/** Whether a passkey can confirm here. */
const hasPasskey = ({ security_switch, passkeys_host }: RouteData<'GET /api/v1/user/info'>) =>
  security_switch.includes('passkey') && passkeys_host === undefined

/** What is wrong with a draft of rules. */
function useRules(): FormRules<PolicyDraft> {
  const t = useMessages('withdrawals')
  const common = useMessages('common')
  const { data: user } = useQuery(apiQuery('GET /api/v1/user/info', {}))
  const badMoney = (text: string | null) => text !== null && describeAmountError(text, common.amounts)
  return {
    single: badMoney,
    windows: (windows, _, tried) => windows.some(each => isInvalidWindow(each, tried?.windows)) && t.windowWrong,
    destination: text => text !== null && !isValidCoolDownHours(text) && t.coolDownWrong,
    hours: hours =>
      hours !== null && (hours.days.length === 0 || !isTimeOfDay(hours.from) || !isTimeOfDay(hours.to)) && t.hoursWrong,
    approval: badMoney,
    approvalInAll: (text, { approval }) => approval !== null && text !== '' && badMoney(text),
    passkeyInAll: (text, { passkey }) => passkey !== null && text !== '' && badMoney(text),
    approver: (text, { approval, approvedBy }) =>
      approval !== null && approvedBy === 'outside' && text !== '' && !isEmail(text) && common.validaEmail,
    passkey: text => badMoney(text) || (text !== null && user && !hasPasskey(user) && t.passkeyFirst),
  }
}

interface ApprovedByProps {
  members: Approvers
  value: ApprovedBy
  onChange(next: ApprovedBy): void
}

/** Who approves: a role, a member, or somebody outside. */
function ApprovedByField({ members, value, onChange }: ApprovedByProps) {
  const t = useMessages('withdrawals')
  const roles = ['owner', 'finance'] as const
  const gone = value.startsWith('person:') && members.every(({ id }) => value !== `person:${id}`)
  return (
    <Field label={t.approvedByChoice} hint={t.approvedByHint} className="w-full max-w-96">
      {control => (
        <Select<ApprovedBy>
          {...control}
          value={value}
          options={[
            { value: 'outside', label: t.outside },
            ...roles.map(role => ({ value: role, label: t.roles[role] })),
            ...members.map(({ id, email }) => ({ value: `person:${id}` as const, label: email })),
            ...(gone ? [{ value, label: t.memberGone }] : []),
          ]}
          onChange={onChange}
        />
      )}
    </Field>
  )
}

interface EditProps<T> {
  error: string | undefined
  onChange(next: T): void
}

/** The limits of what leaves within a time. */
function Windows({
  windows,
  tried,
  error,
  onChange,
}: EditProps<WindowDraft[]> & Record<'windows' | 'tried', WindowDraft[]>) {
  const t = useMessages('withdrawals')
  return (
    <section aria-label={t.windows} className="flex flex-col gap-3 border-t border-line py-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <span className="text-sm">
          {t.windows}
          <span className="block text-xs text-ink-3">{t.windowsHint}</span>
        </span>
        <Button
          size="small"
          icon="plus"
          disabled={windows.length >= windowsMax}
          onClick={() => onChange([...windows, { per: 'merchant', length: '1', unit: 'days', limit: '' }])}
        >
          {t.addWindow}
        </Button>
      </div>
      {windows.map((window, index) => (
        <WindowFields
          // biome-ignore lint/suspicious/noArrayIndexKey: windows have no identity
          key={index}
          window={window}
          wrong={error !== undefined && isInvalidWindow(window, tried)}
          onChange={next => onChange(windows.with(index, next))}
          onRemove={() => onChange(windows.toSpliced(index, 1))}
        />
      ))}
      <p role="alert" className="text-xs text-bad empty:hidden">
        {error}
      </p>
    </section>
  )
}

type WorkingHours = NonNullable<PolicyDraft['hours']>

/** The days and hours in which money may leave. */
function Hours({ hours, error, onChange }: EditProps<WorkingHours> & { hours: WorkingHours }) {
  const t = useMessages('withdrawals')
  const { days } = hours
  return (
    <>
      <fieldset className="flex flex-wrap gap-x-4 gap-y-2">
        <legend className="sr-only">{t.days}</legend>
        {t.dayNames.map((name, day) => (
          <Checkbox
            key={name}
            label={name}
            checked={days.includes(day)}
            onChange={on => onChange({ ...hours, days: on ? [...days, day] : days.filter(each => each !== day) })}
          />
        ))}
      </fieldset>
      <div className="flex flex-wrap gap-3">
        {(['from', 'to'] as const).map(end => (
          <Field key={end} label={t[end]} error={error} className="w-36">
            {control => (
              <TextInput
                {...control}
                type="time"
                className="num"
                value={hours[end]}
                onChange={text => onChange({ ...hours, [end]: text })}
              />
            )}
          </Field>
        ))}
      </div>
    </>
  )
}

interface SwitchProps {
  label: string
  hint: string
  on: boolean
  onSwitch(on: boolean): void
  children: ReactNode
}

/** A rule that is on or off, with its fields while it is on. */
const RuleSwitch = ({ label, hint, on, onSwitch, children }: SwitchProps) => (
  <div className="flex flex-col gap-3 border-t border-line py-5 first:border-t-0 first:pt-0">
    <Switch label={label} hint={hint} checked={on} onChange={onSwitch} />
    {on && <div className="flex flex-col gap-3 sm:pl-11">{children}</div>}
  </div>
)

interface MoneyProps {
  label: string
  /** Given for a field that may be empty. */
  hint: string | undefined
  value: string
  error: string | undefined
  onChange(text: string): void
}

/** A short number. */
function Money({ label, hint, value, error, onChange }: MoneyProps) {
  const { amounts } = useMessages('common')
  const note = describeTypedAmount(value, amounts, useCell(language))
  return (
    <Field
      label={label}
      hint={note ? <HintWithNote note={note} hint={hint} /> : hint}
      error={error || describeAmountAmbiguity(value, amounts)}
      className="w-full max-w-56"
      required={hint === undefined}
    >
      {control => (
        <TextInput
          {...control}
          inputMode="decimal"
          autoComplete="off"
          maxLength={30}
          className="num"
          value={value}
          onChange={onChange}
        />
      )}
    </Field>
  )
}
