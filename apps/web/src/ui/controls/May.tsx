import type { RouteKey } from '@coffer/contract'
import type { ReactNode } from 'react'
import { useMay } from '../../lib/refused.ts'

/** Draws what is for a call where the role of whoever signed in includes it. */
export const May = ({ call, children }: { call: RouteKey; children: ReactNode }) => (useMay()(call) ? children : null)
