import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useMessages } from '../i18n/messages.ts'

/** Leads whoever must bind a second factor first to where that is done. */
export default function FactorNotice({ path }: { path: string }) {
  const t = useMessages('roles')
  const navigate = useNavigate()
  useEffect(() => {
    if (path !== '/accountInfo') void navigate({ to: '/accountInfo' })
  }, [path, navigate])
  return (
    <p role="status" className="mb-4 rounded-lg bg-accent-soft px-4 py-3 text-[13px] text-accent-text">
      {t.factorNeeded}
    </p>
  )
}
