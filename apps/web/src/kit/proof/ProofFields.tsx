import { useMessages } from '../../i18n/messages.ts'
import { CodeInput } from '../../ui/controls/CodeInput.tsx'
import { Field } from '../../ui/controls/Field.tsx'
import { SendCode } from '../../ui/controls/SendCode.tsx'
import { Tabs } from '../../ui/controls/Tabs.tsx'
import { TextInput } from '../../ui/controls/TextInput.tsx'
import { canUsePasskeys } from '../passkey.ts'

export type ConfirmationMethod = 'passkey' | 'google' | 'email' | 'phone' | 'recovery'

/** What is drawn of a proof, and how it changes. */
export interface ProofView {
  /** The methods, preferred first. */
  ways: readonly ConfirmationMethod[]
  way: ConfirmationMethod
  code: string
  error: string | null
  /** Where the passkeys work, if none works here. */
  passkeysHost?: string | undefined
  setWay(way: ConfirmationMethod): void
  setCode(code: string): void
  /** Where a code arrives. */
  to: string
  /** The name of the field of a code that is sent, beside another one that is sent elsewhere. */
  named?: ((to: string) => string) | undefined
  /** Sends a code by email or phone. Resolves with the seconds until the next one, or false. */
  sendCode(): Promise<number | false>
}

/** What confirms an action: a passkey, or a code from the merchant's authenticator, email or phone. */
export function ProofFields({ proof }: { proof: ProofView }) {
  const t = useMessages('proof')
  const { way, to, named, passkeysHost } = proof
  return (
    <div className="flex flex-col gap-3">
      {proof.ways.length > 1 && (
        <Tabs
          look="box"
          label={t.confirmBy}
          value={way}
          tabs={proof.ways.map(each => ({ value: each, title: t.ways[each] }))}
          onChange={proof.setWay}
        />
      )}
      {way === 'passkey' ? (
        <div className="flex flex-col gap-1.5 text-[13px]">
          <p className="text-ink-2">
            {passkeysHost !== undefined
              ? t.passkeysElsewhere(passkeysHost)
              : canUsePasskeys()
                ? t.passkeyHint
                : t.failures.failed}
          </p>
          <p aria-live="polite" className="text-xs text-bad empty:hidden">
            {proof.error}
          </p>
        </div>
      ) : (
        <Field
          label={named && (way === 'email' || way === 'phone') ? named(to) : t.codes[way]}
          hint={way === 'email' || way === 'phone' ? t.sentTo(to) : t.hints[way]}
          error={proof.error}
          required
        >
          {control => {
            if (way === 'recovery')
              return (
                <TextInput {...control} autoComplete="off" maxLength={40} value={proof.code} onChange={proof.setCode} />
              )
            const input = <CodeInput {...control} value={proof.code} onChange={proof.setCode} />
            return way === 'google' ? (
              input
            ) : (
              <SendCode key={way} send={proof.sendCode} inbox={{ to, fill: proof.setCode }}>
                {input}
              </SendCode>
            )
          }}
        </Field>
      )}
    </div>
  )
}
