import { useEffect, useState } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { lazyComponent } from '../../lib/later.tsx'
import { Button } from '../../ui/controls/Button.tsx'

const ProofDialog = lazyComponent(() => import('./ProofDialog.tsx'))

/** Opens the verification of the shop's balances, where the operator has published a proof of them. */
export default function ProofButton() {
  const t = useMessages('ledger')
  const [isPublished, setPublished] = useState(false)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    fetch('/proof/index.json')
      .then(answer => answer.json())
      .then(({ list }) => setPublished(list.length > 0))
      // Without an answer there is nothing to verify with.
      .catch(() => {})
  }, [])
  if (!isPublished) return null
  return (
    <>
      <Button call="GET /api/v1/proof" onClick={() => setOpen(true)}>
        {t.verifyBalances}
      </Button>
      {isOpen && <ProofDialog onClose={() => setOpen(false)} />}
    </>
  )
}
