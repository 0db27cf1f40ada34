import { isAmount, isEmail } from '@coffer/contract/validators.ts'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useForm } from '../../kit/useForm.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Checkbox, Switch } from '../../ui/controls/Choice.tsx'
import { Field } from '../../ui/controls/Field.tsx'
import { useHasPage } from '../../ui/controls/Link.tsx'
import { TextInput } from '../../ui/controls/TextInput.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { draftOf, isClock, isCoolDown, isLength, type Rule, rulesOf } from './policy.ts'
import { WindowFields } from './WindowFields.tsx'

const PolicyModal = lazy(() => import('./PolicyModal.tsx'))

const windowsMax = 10
const workdays = { days: [1, 2, 3, 4, 5], from: '09:00', to: '18:00' }

/** Edits the merchant's rules; saving asks for a proof. */
export function PolicyForm({ rules }: { rules: readonly Rule[] }) {
  const t = useMessages('withdrawals')
  const common = useMessages('common')
  const hasBook = useHasPage('/address')
  const { data: user } = useQuery(apiQuery('GET /api/v1/user/info', {}))
  const [saving, setSaving] = useState(false)
  const badMoney = (text: string | null) => text !== null && !isAmount(text) && common.validaValue
  const form = useForm(draftOf(rules), {
    single: badMoney,
    windows: windows => windows.some(each => !isLength(each) || !isAmount(each.limit)) && t.windowWrong,
    destination: text => text !== null && !isCoolDown(text) && t.coolDownWrong,
    hours: hours =>
      hours !== null && (hours.days.length === 0 || !isClock(hours.from) || !isClock(hours.to)) && t.hoursWrong,
    approval: badMoney,
    approver: (text, { approval }) => approval !== null && text !== '' && !isEmail(text) && common.validaEmail,
    passkey: text =>
      badMoney(text) || (text !== null && user && !user.security_switch.includes('passkey') && t.passkeyFirst),
  })
  const { values, errors, set } = form
  const { hours } = values
  return (
    <Card>
      <form {...form.formProps(async () => setSaving(true))} aria-label={t.settings} className="flex flex-col">
        <RuleSwitch
          label={t.rules.single}
          hint={t.singleHint}
          on={values.single !== null}
          onSwitch={on => set('single')(on ? '' : null)}
        >
          <Money label={t.limitUsdt} value={values.single ?? ''} error={errors.single} onChange={set('single')} />
        </RuleSwitch>
        <section aria-label={t.windows} className="flex flex-col gap-3 border-t border-line py-5">
          <div className="flex flex-wrap items-center justify-between gap-3">
            <span className="text-sm">
              {t.windows}
              <span className="block text-xs text-ink-3">{t.windowsHint}</span>
            </span>
            <Button
              size="small"
              icon="plus"
              disabled={values.windows.length >= windowsMax}
              onClick={() =>
                set('windows')([...values.windows, { per: 'merchant', length: '1', unit: 'days', limit: '' }])
              }
            >
              {t.addWindow}
            </Button>
          </div>
          {values.windows.map((window, index) => (
            <WindowFields
              // biome-ignore lint/suspicious/noArrayIndexKey: windows have no identity
              key={index}
              window={window}
              wrong={errors.windows !== undefined}
              onChange={next => set('windows')(values.windows.with(index, next))}
              onRemove={() => set('windows')(values.windows.toSpliced(index, 1))}
            />
          ))}
          <p role="alert" className="text-xs text-bad empty:hidden">
            {errors.windows}
          </p>
        </section>
        {(hasBook || values.destination !== null) && (
          <RuleSwitch
            label={t.rules.destination}
            hint={t.destinationHint}
            on={values.destination !== null}
            onSwitch={on => set('destination')(on ? '24' : null)}
          >
            <Money
              label={t.coolDown}
              value={values.destination ?? ''}
              error={errors.destination}
              onChange={set('destination')}
            />
          </RuleSwitch>
        )}
        <RuleSwitch
          label={t.rules.hours}
          hint={t.hoursHint}
          on={hours !== null}
          onSwitch={on => set('hours')(on ? workdays : null)}
        >
          {hours && (
            <>
              <fieldset className="flex flex-wrap gap-x-4 gap-y-2">
                <legend className="sr-only">{t.days}</legend>
                {t.dayNames.map((name, day) => (
                  <Checkbox
                    key={name}
                    label={name}
                    checked={hours.days.includes(day)}
                    onChange={on =>
                      set('hours')({
                        ...hours,
                        days: on ? [...hours.days, day] : hours.days.filter(each => each !== day),
                      })
                    }
                  />
                ))}
              </fieldset>
              <div className="flex flex-wrap gap-3">
                {(['from', 'to'] as const).map(end => (
                  <Field key={end} label={t[end]} error={errors.hours} className="w-36">
                    {control => (
                      <TextInput
                        {...control}
                        type="time"
                        className="num"
                        value={hours[end]}
                        onChange={text => set('hours')({ ...hours, [end]: text })}
                      />
                    )}
                  </Field>
                ))}
              </div>
            </>
          )}
        </RuleSwitch>
        <RuleSwitch
          label={t.rules.approval}
          hint={t.approvalHint}
          on={values.approval !== null}
          onSwitch={on => set('approval')(on ? '' : null)}
        >
          <Money label={t.aboveUsdt} value={values.approval ?? ''} error={errors.approval} onChange={set('approval')} />
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
        </RuleSwitch>
        <RuleSwitch
          label={t.rules.fresh_factor}
          hint={t.passkeyHint}
          on={values.passkey !== null}
          onSwitch={on => set('passkey')(on ? '' : null)}
        >
          <Money label={t.aboveUsdt} value={values.passkey ?? ''} error={errors.passkey} onChange={set('passkey')} />
        </RuleSwitch>
        <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line pt-5">
          <p className="max-w-md text-xs text-ink-3">{t.saveNote}</p>
          <Button type="submit" look="primary">
            {common.save}
          </Button>
        </div>
      </form>
      {saving && (
        <Suspense fallback={null}>
          <PolicyModal rules={rulesOf(values)} onClose={() => setSaving(false)} />
        </Suspense>
      )}
    </Card>
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
  value: string
  error: string | undefined
  onChange(text: string): void
}

/** A short number. */
const Money = ({ label, value, error, onChange }: MoneyProps) => (
  <Field label={label} error={error} className="w-full max-w-56" required>
    {control => (
      <TextInput
        {...control}
        inputMode="decimal"
        autoComplete="off"
        maxLength={30}
        className="num"
        value={value}
        onChange={text => onChange(text.trim())}
      />
    )}
  </Field>
)
