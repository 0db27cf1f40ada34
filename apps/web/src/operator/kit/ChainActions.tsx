import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { useMessages } from '../../i18n/messages.ts'
import { parseWholeNumber } from '../../ui/controls/parseWholeNumber.ts'
import { CopyText } from '../../ui/data/CopyText.tsx'
import { ActionButton, reasonField } from './ActionButton.tsx'
import { ImpactText, secondOperatorForm } from './Together.tsx'

/** Continues to read a chain that a deep reorg halted. */
export function ResumeChain({ id, chain }: { id: string; chain: string }) {
  const t = useMessages('operator')
  const call = 'POST /api/operator/v1/chains/:id/resume'
  return (
    <ActionButton
      call={call}
      params={{ id }}
      of={chain}
      label={t.resumeChain}
      text={
        <ImpactText call={call} id={id}>
          {t.resumeChainText}
        </ImpactText>
      }
      look="danger"
      {...secondOperatorForm(t)}
    />
  )
}

/** Reverses the credit of a deposit in doubt. One whose transaction stands is warned of. */
export function UndoDeposit({ id, stands = false }: { id: string; stands?: boolean }) {
  const t = useMessages('operator')
  const { stillStands } = useMessages('incidents')
  const call = 'POST /api/operator/v1/deposits/:id/undo'
  return (
    <ActionButton
      call={call}
      params={{ id }}
      label={t.undoDeposit}
      text={
        <ImpactText call={call} id={id}>
          {t.undoDepositText}
          {stands && <span className="mt-2 block font-medium text-bad">{stillStands}</span>}
        </ImpactText>
      }
      look="danger"
      {...secondOperatorForm(t)}
    />
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
  const credit = 'POST /api/operator/v1/deposits/:id/credit'
  const giveBack = 'POST /api/operator/v1/deposits/:id/return'
  const params = { id }
  const body = ({ reason }: { reason: string }) => ({ reason, amount })
  return (
    <>
      <ActionButton
        call={credit}
        params={params}
        body={body}
        label={t.creditDeposit}
        text={
          <ImpactText call={credit} id={id}>
            {t.creditDepositText(token)}
          </ImpactText>
        }
        {...secondOperatorForm(t)}
      />
      {from && (
        <ActionButton
          call={giveBack}
          params={params}
          body={body}
          label={t.returnDeposit}
          text={
            <ImpactText call={giveBack} id={id}>
              {t.returnDepositText(token)}
              <span className="mt-2 block text-ink-3">{t.returnTo}</span>
              <CopyText look="groups" value={from} />
            </ImpactText>
          }
          look="danger"
          {...secondOperatorForm(t)}
        />
      )}
    </>
  )
}

/** Releases or refuses a token on hold. */
export function DecideToken({ asset, token }: { asset: string; token: string }) {
  const t = useMessages('operator')
  const release = 'POST /api/operator/v1/assets/:id/release'
  const refuse = 'POST /api/operator/v1/assets/:id/refuse'
  const params = { id: asset }
  return (
    <>
      <ActionButton
        call={release}
        params={params}
        label={t.releaseToken}
        text={
          <ImpactText call={release} id={asset}>
            {t.releaseTokenText(token)}
          </ImpactText>
        }
        look="danger"
        {...secondOperatorForm(t)}
      />
      <ActionButton
        call={refuse}
        params={params}
        label={t.refuseToken}
        text={
          <ImpactText call={release} id={asset} alone>
            {t.refuseTokenText(token)}
          </ImpactText>
        }
        look="danger"
        {...reasonField(t.reason)}
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
  const modes = [
    { value: 'preview', label: t.rereadPreview },
    { value: 'apply', label: t.rereadApply },
  ]
  return (
    <ActionButton
      call="POST /api/operator/v1/chains/:id/reread"
      params={{ id }}
      of={chain}
      label={t.reread}
      text={t.rereadText(final)}
      initial={{ block: proposed ? String(proposed.block) : '', mode: proposed?.apply ? 'apply' : 'preview' }}
      fields={[
        {
          name: 'block',
          label: t.fromBlock,
          hint: proposed !== null && t.rereadProposed,
          kind: 'whole',
          min: 0,
          max: final,
          required: true,
        },
        { name: 'mode', label: t.rereadMode, kind: 'choice', options: modes, required: true },
      ]}
      body={({ block, mode }) => ({ block: parseWholeNumber(block) ?? Number.NaN, apply: mode === 'apply' })}
      done={t.rereadAsked}
    />
  )
}
