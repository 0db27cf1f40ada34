import { type OperatorRole, operatorRoles, type RoleKey } from '@coffer/contract/operator/roles.ts'
import { isText } from '@coffer/contract/validators.ts'
import { type ReactNode, useId, useState } from 'react'
import { useMessages } from '../i18n/messages.ts'
import { useForm } from '../kit/useForm.ts'
import { showToast } from '../lib/toast.ts'
import type { ButtonLook } from '../ui/classes.ts'
import { Button } from '../ui/controls/Button.tsx'
import { Field } from '../ui/controls/Field.tsx'
import { Select } from '../ui/controls/Select.tsx'
import { TextArea, TextInput } from '../ui/controls/TextInput.tsx'
import { Modal } from '../ui/feedback/Modal.tsx'
import { queryClient, useRead } from './api.ts'
import { useTexts } from './texts.ts'

/** Whether the operator may make a call, by the same table as on the server. */
export function useMay(): (key: RoleKey) => boolean {
  const { data } = useRead('GET /api/operator/v1/session', {})
  const role: OperatorRole | undefined = data?.role
  return key => role !== undefined && operatorRoles[key].includes(role)
}

export interface ActionField {
  name: string
  label: string
  kind?: 'text' | 'area' | 'choice' | 'time'
  options?: readonly { value: string; label: string }[]
  value?: string
  optional?: boolean
  max?: number
}

interface Props {
  /** The call, which decides who sees the button. */
  call: RoleKey
  label: string
  /** What will happen, said before it happens. */
  text: ReactNode
  fields?: readonly ActionField[]
  look?: ButtonLook
  size?: 'small' | 'medium'
  /** Said when it is done. */
  done: string
  /** Sends the call; what it returns is drawn in place of the form, such as a secret shown once. */
  run(values: Record<string, string>): Promise<ReactNode>
}

/** A button for an action: says what it does, asks for what it needs, does it, and reads the page again. */
export function Action({ call, label, text, fields = [], look = 'secondary', size = 'small', done, run }: Props) {
  const may = useMay()
  const [open, setOpen] = useState(false)
  if (!may(call)) return null
  return (
    <>
      {/* The colour of danger is in the dialog, where the decision is made. */}
      <Button look={look === 'danger' ? 'secondary' : look} size={size} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {open && <Dialog {...{ label, text, fields, look, done, run }} onClose={() => setOpen(false)} />}
    </>
  )
}

type DialogProps = Required<Pick<Props, 'label' | 'text' | 'fields' | 'look' | 'done' | 'run'>> & { onClose(): void }

function Dialog({ label, text, fields, look, done, run, onClose }: DialogProps) {
  const t = useTexts()
  const common = useMessages('common')
  const id = useId()
  const [shown, setShown] = useState<ReactNode>()
  const initial = Object.fromEntries(fields.map(({ name, value = '' }) => [name, value]))
  const rules = Object.fromEntries(
    fields.map(({ name, optional }) => [name, (value: string) => !optional && !isText(value) && common.required]),
  )
  const form = useForm<Record<string, string>>(initial, rules)
  const send = async (values: Record<string, string>) => {
    const answer = await run(values)
    showToast('success', done)
    await queryClient.invalidateQueries()
    if (answer === undefined || answer === null) onClose()
    else setShown(answer)
  }
  return (
    <Modal
      open
      keep
      title={label}
      onClose={onClose}
      actions={
        shown ? (
          <Button onClick={onClose}>{common.close}</Button>
        ) : (
          <>
            <Button onClick={onClose}>{common.cancel}</Button>
            <Button type="submit" form={id} look={look === 'danger' ? 'danger' : 'primary'} busy={form.busy}>
              {label}
            </Button>
          </>
        )
      }
    >
      {shown ?? (
        <form id={id} {...form.formProps(send)} className="flex flex-col gap-4">
          <div className="text-sm text-ink-2">{text}</div>
          {fields.map(field => (
            <Field
              key={field.name}
              label={field.label}
              error={form.errors[field.name]}
              {...(field.optional ? { optional: common.optional } : { required: true })}
            >
              {control => (
                <Input
                  {...control}
                  field={field}
                  value={form.values[field.name] ?? ''}
                  onChange={form.set(field.name)}
                  placeholder={t.choose}
                />
              )}
            </Field>
          ))}
        </form>
      )}
    </Modal>
  )
}

interface InputProps {
  id: string
  field: ActionField
  value: string
  placeholder: string
  onChange(value: string): void
}

function Input({ field: { kind, options = [], max = 200 }, placeholder, ...rest }: InputProps) {
  if (kind === 'choice') return <Select {...rest} options={options} placeholder={placeholder} />
  if (kind === 'area') return <TextArea {...rest} maxLength={max} />
  return <TextInput {...rest} type={kind === 'time' ? 'datetime-local' : 'text'} maxLength={max} />
}
