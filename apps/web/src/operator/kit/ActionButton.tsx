import type { RoleRestrictedCall } from '@coffer/contract/operator/calls.ts'
import type { OperatorBody, OperatorData, OperatorKey, OperatorParams } from '@coffer/contract/operator/index.ts'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Messages } from '../../i18n/areas.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ActionForm } from '../../kit/form/ActionForm.tsx'
import type { FormFields } from '../../kit/form/Fields.tsx'
import type { ButtonLook } from '../../ui/classes.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { api, usePermissionCheck, useRead } from './api.ts'

type Call = RoleRestrictedCall & Exclude<OperatorKey, `GET ${string}`>
type Sent<B> = B | Promise<B>

interface ActionProps<K extends Call, V extends object> {
  /** The call, which decides who sees the button. */
  call: K
  label: string
  /** The title of the dialog, where the label says too little without its card; defaults to the label. */
  title?: string
  /** What it is done to, such as a merchant, in the title of the dialog. */
  of?: string
  /** What will happen, said before it happens. */
  text: ReactNode
  initial?: V
  /** The fields, or a function of what was entered. */
  fields?: FormFields<V> | ((values: V) => FormFields<V>)
  look?: ButtonLook
  /** The label of the button that closes the dialog, in place of “Cancel” where something is cancelled. */
  leave?: string
  size?: 'small' | 'medium'
  /** Said when it is done; defaults to "Saved". */
  done?: string
  /** Whether the same may have to be done by two operators. */
  two?: boolean
  /** Drawn in place of the form when it is done, such as a secret shown once. */
  result?(answer: OperatorData<K>): ReactNode
}

/** The path parameters of a call; its body is what was entered, unless `body` makes it. */
type Input<K extends Call, V> = (OperatorParams<K> extends undefined
  ? { params?: undefined }
  : { params: OperatorParams<K> }) &
  ([OperatorBody<K>] extends [undefined]
    ? { body?: undefined }
    : V extends OperatorBody<K>
      ? { body?(values: V): Sent<OperatorBody<K>> }
      : { body(values: V): Sent<OperatorBody<K>> })

/** A button for an action: says what it does, asks for what it needs, does it, and reads the page again. */
export function ActionButton<K extends Call, V extends object = object>(props: ActionProps<K, V> & Input<K, V>) {
  const {
    call,
    params,
    body,
    label,
    title = label,
    of,
    text,
    look = 'secondary',
    size = 'small',
    done,
    two,
    ...form
  } = props
  const t = useMessages('operator')
  const may = usePermissionCheck()
  const queries = useQueryClient()
  const [open, setOpen] = useState(false)
  if (!may(call)) return null
  const send = async (values: V) => {
    const make = (body ?? (() => form.initial && values)) as (values: V) => unknown
    // That the input fits the call is held by the types of the properties.
    const answer = await api(call, { params, body: await make(values) } as never).catch(error => {
      // Somebody else may have decided meanwhile: the page says who and what.
      void queries.invalidateQueries()
      throw error
    })
    await queries.invalidateQueries()
    return answer
  }
  const isDanger = look === 'danger'
  // The full colour of danger is in the dialog, where the decision is made.
  const button = (disabled: boolean) => (
    <Button
      look={isDanger ? 'secondary' : look}
      size={size}
      className={isDanger ? 'text-bad!' : undefined}
      disabled={disabled}
      onClick={() => setOpen(true)}
    >
      {label}
    </Button>
  )
  return (
    <>
      {two ? <UnlessAsked call={call} params={params} button={button} /> : button(false)}
      {open && (
        <ActionForm<V, OperatorData<K>>
          {...form}
          size="medium"
          title={of ? `${title} · ${of}` : title}
          verb={label}
          danger={isDanger}
          call={send}
          done={done ?? t.saved}
          onClose={() => setOpen(false)}
        >
          <div className="text-sm text-ink-2">{text}</div>
        </ActionForm>
      )}
    </>
  )
}

/** A button that waits, with the reason beside it, once the operator has requested it and another one must. */
function UnlessAsked({ call, params, button }: { call: Call; params: unknown; button(disabled: boolean): ReactNode }) {
  const t = useMessages('operator')
  const me = useRead('GET /api/operator/v1/session', {}).data?.email ?? ''
  const { data } = useRead('GET /api/operator/v1/decisions', {})
  const { id } = params as { id?: string }
  // What is requested with values may be requested again with others.
  const isSame = (request: OperatorData<'GET /api/operator/v1/decisions'>['list'][number]) =>
    request.call === call && request.object === id && Object.keys(request.what).length === 0
  if (!data?.list.some(request => isSame(request) && request.who.includes(me))) return button(false)
  return (
    <span className="inline-flex flex-wrap items-center gap-x-3 gap-y-1">
      {button(true)}
      <span className="text-[13px] text-ink-2">{t.askedAlready}</span>
    </span>
  )
}

/** The field of an action that asks for a reason. */
export const reasonField = (label: string) =>
  ({
    initial: { reason: '' },
    fields: [{ name: 'reason', kind: 'area', label, required: true, maxLength: 200 }],
  }) as const

/** The result of an action that a second operator has to do, too. */
export const secondOperatorResult =
  (t: Messages<'operator'>) =>
  ({ waits }: { waits: boolean }) =>
    waits ? <p className="text-sm">{t.secondNeeded}</p> : null
