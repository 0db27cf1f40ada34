import { useMessages } from '../../i18n/messages.ts'
import { CodeInput } from '../../ui/controls/CodeInput.tsx'
import { Field } from '../../ui/controls/Field.tsx'
import { SendCode } from '../../ui/controls/SendCode.tsx'
import { Tabs } from '../../ui/controls/Tabs.tsx'
import type { ProofState } from './useProof.ts'

/** The code that confirms an action, from the merchant's authenticator, email or phone. */
export function ProofFields({ proof }: { proof: ProofState }) {
  const t = useMessages('common')
  return (
    <div className="flex flex-col gap-3">
      {proof.ways.length > 1 && (
        <Tabs
          look="box"
          label={t.confirmBy}
          value={proof.way}
          tabs={proof.ways.map(way => ({ value: way, title: t.proofWays[way] }))}
          onChange={proof.setWay}
        />
      )}
      <Field label={t.proofCodes[proof.way]} hint={t.proofHints[proof.way]} error={proof.error} required>
        {control => (
          <div className="flex gap-2">
            <CodeInput {...control} value={proof.code} onChange={proof.setCode} />
            {proof.way !== 'google' && <SendCode key={proof.way} send={proof.sendCode} />}
          </div>
        )}
      </Field>
    </div>
  )
}
