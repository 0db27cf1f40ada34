import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { useMessages } from '../../i18n/messages.ts'
import { CopyText } from '../../ui/data/CopyText.tsx'
import { ActionButton } from './ActionButton.tsx'
import { fillIn } from './declaredForm.ts'
import { ImpactText } from './Together.tsx'

/** Reverses the credit of a deposit in doubt. One whose transaction stands is warned of. */
export function UndoDeposit({ id, stands = false }: { id: string; stands?: boolean }) {
  const { stillStands } = useMessages('incidents')
  return (
    <ActionButton call="POST /api/operator/v1/deposits/:id/undo" params={{ id }}>
      {stands && <span className="mt-2 block font-medium text-bad">{stillStands}</span>}
    </ActionButton>
  )
}

/** A deposit of a token that is not accepted, as it is shown. `from` is empty if its sender is not known. */
interface Undecided {
  id: string
  amount: string
  token: string
  from: string
}

/**
 * Credits a deposit of a token that is not accepted, or gives it back to its sender. The decision is about the amount
 * that is shown.
 */
export function DecideDeposit({ id, amount, token, from }: Undecided) {
  const t = useMessages('operator')
  const deposit = { params: { id }, known: { amount }, facts: { token } }
  return (
    <>
      <ActionButton call="POST /api/operator/v1/deposits/:id/credit" {...deposit} />
      {from && (
        <ActionButton call="POST /api/operator/v1/deposits/:id/return" {...deposit}>
          <span className="mt-2 block text-ink-3">{t.returnTo}</span>
          <CopyText look="groups" value={from} />
        </ActionButton>
      )}
    </>
  )
}

/** Releases or refuses a token on hold. */
export function DecideToken({ asset, token }: { asset: string; token: string }) {
  const release = 'POST /api/operator/v1/assets/:id/release'
  const refuse = 'POST /api/operator/v1/assets/:id/refuse'
  const words = useMessages('dialogs')[refuse]
  const params = { id: asset }
  return (
    <>
      <ActionButton call={release} params={params} facts={{ token }} />
      <ActionButton
        call={refuse}
        params={params}
        text={
          <ImpactText call={release} id={asset} alone>
            {fillIn(words.text, { token })}
          </ImpactText>
        }
      />
    </>
  )
}

interface RereadProps {
  id: string
  chain: string
  final: number
  /** From where, and whether to mend what differs, by what an incident found. */
  proposed?: OperatorData<'GET /api/operator/v1/incidents/:id'>['reread']
}

/** Reads final blocks of a chain again. */
export function RereadBlocks({ id, chain, final, proposed = null }: RereadProps) {
  const t = useMessages('operator')
  return (
    <ActionButton
      call="POST /api/operator/v1/chains/:id/reread"
      params={{ id }}
      of={chain}
      facts={{ final }}
      additions={{
        block: { max: final, ...(proposed && { initial: String(proposed.block), hint: t.rereadProposed }) },
        apply: { initial: proposed?.apply ? 'yes' : 'no' },
      }}
    />
  )
}
