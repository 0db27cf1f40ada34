import type { RouteKey } from '@coffer/contract'
import type { ReactNode } from 'react'
import { useMay } from '../../lib/refused.ts'

/** Draws what is for a call where the role of whoever signed in includes it. */
export const May = ({ call, children }: { call: RouteKey; children: ReactNode }) => (useMay()(call) ? children : null)

/** Fields that somebody may fill in whose role includes the call that saves them; others read them. */
export const MayEdit = ({ call, children }: { call: RouteKey; children: ReactNode }) =>
  useMay()(call) ? (
    children
  ) : (
    <fieldset disabled className="contents">
      {children}
    </fieldset>
  )
