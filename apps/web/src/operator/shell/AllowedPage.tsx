import { Navigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { NotFound } from '../../kit/router/makeRouter.tsx'
import { useRole } from '../kit/api.ts'
import { canRoleCall } from '../kit/may.ts'
import { homeCall, menuOf, type Route } from '../routes.ts'

/** A page for roles that may read it. For others there is none, and in place of the first page stands their own. */
export function AllowedPage({ call, children }: Pick<Route, 'call'> & { children: ReactNode }) {
  const role = useRole()
  if (role === undefined || canRoleCall(role, call)) return children
  const [first] = menuOf(each => canRoleCall(role, each))
  return call === homeCall && first ? <Navigate to={first.path as '/'} replace /> : <NotFound />
}
