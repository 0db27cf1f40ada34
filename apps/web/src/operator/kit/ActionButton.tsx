import type { SecondOperatorRule } from '@coffer/contract/kit/operator-route.ts'
import type { ActionCall } from '@coffer/contract/operator/calls.ts'
import type { TwoOperatorCall } from '@coffer/contract/operator/decisions.ts'
import type { OperatorBody, OperatorData, OperatorParams } from '@coffer/contract/operator/index.ts'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Messages } from '../../i18n/areas.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ActionForm } from '../../kit/form/ActionForm.tsx'
import type { FormFields } from '../../kit/form/Fields.tsx'
import type { ButtonLook } from '../../ui/classes.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { api, usePermissionCheck, useRead } from './api.ts'
import { buildDeclaredForm, type Entered, type FieldAddition, fillIn } from './declaredForm.ts'
import { forms } from './generated/forms.ts'
import { useIsOneOf } from './persons.ts'
import { ImpactText } from './Together.tsx'

type Sent<B> = B | Promise<B>

/** A form whose values are entered otherwise than the body has them. */
interface OwnForm<K extends ActionCall, V> {
  initial: V
  fields?: FormFields<V> | ((values: V) => FormFields<V>)
  body(values: V): Sent<OperatorBody<K>>
}

interface ActionProps<K extends ActionCall, V extends object> {
  /** The call, which decides who sees the button, and declares its words, fields and second person. */
  call: K
  /** In place of the declared words of the button. */
  label?: string
  /** The title of the dialog, where the label says too little without its card; defaults to the label. */
  title?: string
  /** What it is done to, such as a merchant, in the title of the dialog. */
  of?: string
  /** What the declared text names in braces. */
  facts?: Record<string, string | number>
  /** In place of the declared text. */
  text?: ReactNode
  /** Drawn below the text. */
  children?: ReactNode
  /** Parts of the body that the page knows, which have no field. */
  known?: Partial<OperatorBody<K>>
  /** What the page adds to declared fields. */
  additions?: Partial<Record<string, FieldAddition>>
  form?: OwnForm<K, V>
  look?: ButtonLook
  size?: 'small' | 'medium'
  done?: string
  /** Whether nothing depends on it that would take two people, although it does elsewhere. */
  isSmall?: boolean
  /** Drawn in place of the form when it is done, such as a secret shown once. */
  result?(answer: OperatorData<K>): ReactNode
}

type Params<K extends ActionCall> =
  OperatorParams<K> extends undefined ? { params?: undefined } : { params: OperatorParams<K> }

/** A button for an action: says what it does, asks for what it needs, does it, and reads the page again. */
export function ActionButton<K extends ActionCall, V extends object = Entered>(props: ActionProps<K, V> & Params<K>) {
  const { call, params, of, size = 'small', title } = props
  const { second, look: declaredLook = 'secondary' } = forms[call]
  const { look = declaredLook } = props
  const t = useMessages('operator')
  const words = useMessages('dialogs')[call]
  const { pleaseSelect } = useMessages('common')
  const may = usePermissionCheck()
  const queries = useQueryClient()
  const [open, setOpen] = useState(false)
  if (!may(call)) return null
  const { known = {}, additions = {}, label = words.button } = props
  const form = (props.form ?? buildDeclaredForm(forms[call], { known, additions, words, t, pleaseSelect })) as OwnForm<
    K,
    V
  >
  const send = async (values: V) => {
    // That the input fits the call is held by the types of the properties.
    const answer = await api(call, { params, body: await form.body(values) } as never).catch(error => {
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
  const outcome = props.result ?? (second && (resultOf(t, second, words.done) as ActionProps<K, V>['result']))
  const isByTwo = second && second !== 'owners'
  return (
    <>
      {second === 'value' ? <UnlessAsked call={call} params={params} button={button} /> : button(false)}
      {open && (
        <ActionForm<V, OperatorData<K>>
          initial={form.initial}
          fields={form.fields ?? []}
          {...(outcome && { result: outcome })}
          {...(words.leave && { leave: words.leave })}
          size="medium"
          title={of ? `${title ?? label} · ${of}` : (title ?? label)}
          verb={label}
          danger={isDanger}
          call={send}
          done={props.done ?? (isByTwo ? t.recorded : (second !== 'owners' && words.done) || t.saved)}
          onClose={() => setOpen(false)}
        >
          <ActionText {...(props as AnyAction)} words={words} />
        </ActionForm>
      )}
    </>
  )
}

type AnyAction = Pick<ActionProps<ActionCall, object>, 'call' | 'text' | 'facts' | 'children' | 'isSmall'> & {
  params?: { id?: string } | undefined
  known?: { nonce?: number }
}

/** What will happen, and what depends on it. */
function ActionText({
  call,
  params,
  known,
  text,
  facts = {},
  children,
  isSmall,
  words,
}: AnyAction & { words: { text: string; unread: string } }) {
  const said = text ?? fillIn(words.text, facts)
  const hasImpact = forms[call].second === 'value' && !isSmall
  return (
    <div className="text-sm text-ink-2">
      {hasImpact ? (
        <ImpactText call={call as TwoOperatorCall} id={params?.id ?? ''} nonce={known?.nonce} unread={words.unread}>
          {said}
          {children}
        </ImpactText>
      ) : (
        <>
          {typeof said === 'string' ? said && <p>{said}</p> : said}
          {children}
        </>
      )}
    </div>
  )
}

/** What became of an action that somebody else may have to do, too. */
const resultOf =
  (t: Messages<'operator'>, second: SecondOperatorRule, done: string) =>
  ({ waits }: { waits: boolean }) => {
    if (second === 'owners') return <p className="text-sm">{waits ? t.ownerNeeded : done || t.saved}</p>
    return waits ? <p className="text-sm">{t.secondNeeded}</p> : null
  }

/** A button that waits, with the reason beside it, once the operator has requested it and another one must. */
function UnlessAsked({
  call,
  params,
  button,
}: {
  call: ActionCall
  params: unknown
  button(disabled: boolean): ReactNode
}) {
  const t = useMessages('operator')
  const isOneOf = useIsOneOf()
  const { data } = useRead('GET /api/operator/v1/decisions', {})
  const { id } = params as { id?: string }
  // What is requested with values may be requested again with others.
  const isSame = (request: OperatorData<'GET /api/operator/v1/decisions'>['list'][number]) =>
    request.call === call && request.object === id && Object.keys(request.what).length === 0
  if (!data?.list.some(request => isSame(request) && isOneOf(request.who))) return button(false)
  return (
    <span className="inline-flex flex-wrap items-center gap-x-3 gap-y-1">
      {button(true)}
      <span className="text-[13px] text-ink-2">{t.askedAlready}</span>
    </span>
  )
}
