import type { MerchantProof, PublishedProof } from '@coffer/core/proof/format.ts'
import { ProofError, type VerifiedProof, verifyMerchantProof } from '@coffer/core/proof/verify.ts'
import { useEffect, useState } from 'react'
import { saveBlob } from '../../api/download.ts'
import { api } from '../../api/index.ts'
import type { Messages } from '../../i18n/areas.ts'
import { formatLocalTime } from '../../i18n/format.ts'
import { useMessages } from '../../i18n/messages.ts'
import { formatUnits } from '../../proof/amounts.ts'
import { proofCrypto } from '../../proof/crypto.ts'
import { linkClass } from '../../ui/classes.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Modal } from '../../ui/feedback/Modal.tsx'

/** The own part of the newest proof, and what its verification found. */
interface Outcome {
  proof: MerchantProof | null
  found: VerifiedProof | string
}

/** Reads the own part, and the published file as a stranger would, and verifies one against the other. */
async function verifyOwnBalances(t: Messages<'reserves'>): Promise<Outcome> {
  const { proof } = await api('GET /api/v1/proof', {})
  if (!proof) return { proof, found: t.none }
  const published = (await (await fetch(`/proof/${proof.id}.json`)).json()) as PublishedProof
  try {
    return { proof, found: verifyMerchantProof(proofCrypto, proof, published) }
  } catch (error) {
    if (!(error instanceof ProofError)) throw error
    return { proof, found: `${t.notValid}: ${t.faults[error.fault] ?? error.fault}` }
  }
}

const saveProof = (proof: MerchantProof) =>
  saveBlob(new Blob([JSON.stringify(proof, null, 2)], { type: 'application/json' }), `proof-${proof.id}-mine.json`)

/** Verifies in the browser that the shop's balances are part of the published sum. */
export default function ProofDialog({ onClose }: { onClose(): void }) {
  const t = useMessages('reserves')
  const [outcome, setOutcome] = useState<Outcome>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it opens
  useEffect(() => {
    verifyOwnBalances(t).then(setOutcome, () => setOutcome({ proof: null, found: t.offline }))
  }, [])
  const proof = outcome?.proof
  return (
    <Modal open title={t.verifyTitle} onClose={onClose}>
      <div className="flex flex-col gap-3 text-sm" aria-live="polite">
        {outcome === undefined ? (
          <p>{t.verifying}</p>
        ) : typeof outcome.found === 'string' ? (
          <p className={proof ? 'font-medium text-bad' : ''}>{outcome.found}</p>
        ) : (
          <Found found={outcome.found} t={t} />
        )}
        {proof && (
          <div className="flex flex-wrap items-center gap-4">
            <Button onClick={() => saveProof(proof)}>{t.download}</Button>
            <a className={linkClass} href={`/proof?id=${proof.id}`} target="_blank" rel="noreferrer">
              {t.openPage}
            </a>
            <a className={linkClass} href="/proof/check.html">
              {t.checker}
            </a>
          </div>
        )}
      </div>
    </Modal>
  )
}

function Found({ found: { statement, balances }, t }: { found: VerifiedProof; t: Messages<'reserves'> }) {
  return (
    <>
      <p className="font-medium text-good">{t.verified}</p>
      <p className="text-ink-2">{t.verifiedText(formatLocalTime(statement.time))}</p>
      {balances.length === 0 && <p>{t.nothingOwed}</p>}
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5">
        {balances.map(each => (
          <div key={each.asset} className="contents">
            <dt className="text-ink-3">{`${each.symbol} · ${each.chain}`}</dt>
            <dd className="num text-right break-words">{formatUnits(String(each.balance), each)}</dd>
          </div>
        ))}
      </dl>
      <p className="num text-ink-3">
        {t.proof} {statement.id}
      </p>
    </>
  )
}
