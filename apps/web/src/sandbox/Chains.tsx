import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useMessages } from '../i18n/messages.ts'
import { Button } from '../ui/controls/Button.tsx'
import { Field } from '../ui/controls/Field.tsx'
import { TextInput } from '../ui/controls/TextInput.tsx'
import { CopyText } from '../ui/data/CopyText.tsx'
import { requestSandbox, useAction } from './call.ts'

/** What happens to chains: new blocks, and a reorganisation. */
export function Chains() {
  const t = useMessages('sandbox')
  return (
    <div className="flex flex-col gap-4 border-t border-line px-5 py-4">
      <Control
        label={t.blocks}
        action={t.mine}
        initial="6"
        max={1000}
        work={async blocks => {
          await requestSandbox('mine', { blocks })
          return t.mined
        }}
      />
      <Control
        label={t.depth}
        hint={t.reorgNote}
        action={t.reorg}
        initial="2"
        max={100}
        work={async depth => {
          await requestSandbox('reorg', { depth })
          return t.reorged
        }}
      />
      <AccountKey />
    </div>
  )
}

/** The key from which addresses derive, to try how the SDK verifies them. */
function AccountKey() {
  const t = useMessages('sandbox')
  const { data } = useQuery({
    queryKey: ['sandbox', 'account-key'],
    queryFn: () => requestSandbox<{ xpub: string }>('account-key'),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <dl className="text-[13px]">
      <dt className="font-medium text-ink-2">{t.accountKey}</dt>
      <dd className="mt-1 min-h-10 break-all">
        {data && <CopyText look="whole" value={data.xpub} label={t.accountKey} />}
      </dd>
      <dd className="mt-1 text-xs text-ink-3">{t.accountKeyNote}</dd>
    </dl>
  )
}

interface ControlProps {
  label: string
  hint?: string
  action: string
  initial: string
  max: number
  work(count: number): Promise<string>
}

function Control({ label, hint, action, initial, max, work }: ControlProps) {
  const [count, setCount] = useState(initial)
  const { busy, run } = useAction()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void run(() => work(Number(count)))
  }
  return (
    <form onSubmit={submit}>
      <Field label={label} hint={hint}>
        {control => (
          <div className="flex gap-2">
            <TextInput
              {...control}
              type="number"
              min={1}
              max={max}
              required
              className="num max-w-28"
              value={count}
              onChange={setCount}
            />
            <Button type="submit" busy={busy}>
              {action}
            </Button>
          </div>
        )}
      </Field>
    </form>
  )
}
