import { useState } from 'react'
import { api, RequestRefused } from '../../api/index.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ActionForm } from '../../kit/form/ActionForm.tsx'
import { ProofFields } from '../../kit/proof/ProofFields.tsx'
import { isProofRefusal, useProof } from '../../kit/proof/useProof.ts'
import { WalletButtons } from '../../kit/WalletButtons.tsx'
import { type BrowserWallet, formatWalletError, signByWallet } from '../../kit/wallet.ts'
import { showToast } from '../../lib/toast.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Modal } from '../../ui/feedback/Modal.tsx'
import { type AccountDialogProps, refreshAccount } from './dialogs.ts'
import { stackLines } from './stackLines.tsx'

/** Links a wallet, or unlinks the linked one. */
export const WalletDialog = ({ user, onClose }: AccountDialogProps) =>
  user.wallet === '' ? <Link user={user} onClose={onClose} /> : <Unlink user={user} onClose={onClose} />

function Link({ user, onClose }: AccountDialogProps) {
  const t = useMessages('identity')
  const common = useMessages('common')
  const proof = useProof('wallet', { exchanged: true })
  const [busy, setBusy] = useState<string | null>(null)
  const [problem, setProblem] = useState('')
  const link = (wallet: BrowserWallet) =>
    proof.confirm(async confirmed => {
      const signed = await signByWallet(wallet, query => api('GET /api/v1/user/wallet/new', { query }))
      await api('POST /api/v1/user/wallet', { body: { ...signed, ...confirmed } })
      await refreshAccount()
      showToast('success', t.walletDone)
      onClose()
    })
  const choose = async (wallet: BrowserWallet) => {
    setBusy(wallet.id)
    setProblem('')
    try {
      await link(wallet)
    } catch (error) {
      // The field of the proof shows what concerns it, and a proof that was not entered sends nothing.
      if (!(error instanceof RequestRefused && isProofRefusal(error))) setProblem(formatWalletError(error))
    } finally {
      setBusy(null)
    }
  }
  return (
    <Modal
      open
      keep
      size="small"
      title={t.linkWallet}
      text={stackLines(t.linkWalletText, t.pauses(user.hold_hours))}
      onClose={onClose}
      actions={<Button onClick={onClose}>{common.cancel}</Button>}
    >
      <div className="flex flex-col gap-4">
        <ProofFields proof={proof} />
        <WalletButtons busy={busy} onChoose={wallet => void choose(wallet)} />
        <p role="alert" className="text-[13px] text-bad empty:hidden">
          {problem}
        </p>
      </div>
    </Modal>
  )
}

function Unlink({ user, onClose }: AccountDialogProps) {
  const t = useMessages('identity')
  return (
    <ActionForm
      danger
      title={t.unlinkWallet}
      text={stackLines(t.unlinkWalletText(user.wallet), t.holds(user.hold_hours))}
      verb={t.unlink}
      proof={useProof('wallet')}
      call={async (_values, body) => {
        await api('DELETE /api/v1/user/wallet', { body })
        await refreshAccount()
      }}
      done={t.walletUnlinked}
      onClose={onClose}
    />
  )
}
